// One access of a key as a recording tells it.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/clock.h"

namespace hotkeyd {

enum class AccessKind : std::uint8_t { read, write, miss };  // miss: a read that found nothing.

struct ParsedAccess {
  UnixUs time = 0;
  std::string_view key;  // The key's own bytes. Borrowed: valid until the parser's next line.
  AccessKind kind = AccessKind::read;
  std::uint64_t bytes = 0;  // Of the value read or written; 0 where the recording does not tell.

  bool operator==(const ParsedAccess&) const = default;
};

}  // namespace hotkeyd
