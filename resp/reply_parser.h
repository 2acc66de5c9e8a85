// Reads what a RESP2 or RESP3 server sends: replies and pushes, from a byte stream.
//
// Used by the SDK and hotkeyctl. Incremental: feed what arrived, take whole values. Depth, sizes and counts are
// bounded, so that a broken or hostile server costs at most `bytes_max`. Pure; standard library only; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hotkeyd {

struct RespValue {
  enum class Kind { simple, error, integer, bulk, null, array, map, push, boolean, number };
  Kind kind = Kind::null;
  std::string text;             // simple, error, bulk; also big numbers and doubles as sent (number).
  std::int64_t integer = 0;     // integer; boolean as 0 or 1.
  std::vector<RespValue> items; // array, push, set (as array); map: key, value, key, value, ...

  bool is_error() const { return kind == Kind::error; }
};

struct ReplyLimits {
  std::size_t bytes_max = 64 << 20;  // Of one value on the wire.
  std::size_t items_max = 4'000'000;
  std::size_t depth_max = 16;
};

class ReplyParser {
 public:
  explicit ReplyParser(ReplyLimits limits = {}) : limits_(limits) {}

  void feed(std::string_view bytes);
  // The next whole value; nullopt when more bytes are needed; an error once the stream is broken (for good).
  Result<std::optional<RespValue>> next();

 private:
  ReplyLimits limits_;
  std::string buffer_;
};

}  // namespace hotkeyd
