// The state file as bytes: what the daemon leaves to the next process, and the reading of what one left.
//
// Eight bytes of magic, the format (u32), the length of what follows (u64), the content, and an XXH3
// checksum over all of it. Integers are little-endian; strings are a u32 length and the bytes. Any changed,
// missing or surplus byte is found, and so are values out of range. A reader knows its own format only:
// another one is an error that says so.
//
// Pure. Hostile bytes cost no more memory than a small multiple of their size.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "detector/saved_state.h"

namespace hotkeyd {

struct StateHeader {
  std::string node;
  std::uint64_t epoch = 0;
  UnixMs saved_at_ms = 0;
  UnixMs hot_at_ms = 0;       // When the hot set was as it is here.
  std::int64_t lease_ms = 0;  // For how long others hold it from then on.
  bool operator==(const StateHeader&) const = default;
};

struct StoredState {
  StateHeader header;
  SavedOrders orders;
  SavedHotSets hot;
  bool operator==(const StoredState&) const = default;
};

std::string encode_state(const StateHeader& header, const SavedOrders& orders, const SavedHotSets& hot);
// Magic, format, length and checksum around a content. Exposed so that a fuzzer gets behind the checksum.
std::string seal_state(std::string_view content);
// Errors complete "the state file ...": "is cut off or was changed", "has format 2; this version reads 1".
Result<StoredState> decode_state(std::string_view bytes);

}  // namespace hotkeyd
