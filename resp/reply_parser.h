// Reads what a RESP2 or RESP3 server sends: replies and pushes, from a byte stream.
//
// Used by the SDK and hotkeyctl. Incremental: feed what arrived, take whole values; linear however the stream
// is cut. Depth, sizes and counts are bounded, and nothing is reserved on the word of a header, so that a
// broken or hostile server costs at most what it sent. Attributes are read and dropped; streamed values
// (RESP3's `$?`) are refused. Pure; standard library only; one thread.
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
  std::string text;              // simple, error, bulk; also big numbers and doubles as sent (number).
  std::int64_t integer = 0;      // integer; boolean as 0 or 1.
  std::vector<RespValue> items;  // array, push, set (as array); map: key, value, key, value, ...

  bool is_error() const { return kind == Kind::error; }
  bool operator==(const RespValue&) const = default;
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
  enum class Step { incomplete, advanced, failed };
  // An aggregate whose items are still arriving.
  struct Open {
    RespValue value;
    std::size_t awaited = 0;
    bool is_attribute = false;
  };

  Step step();
  Step take_line(std::string_view& line);
  Step read_plain(char type, std::string_view text);
  Step begin_bulk(char type, std::string_view size);
  Step read_bulk();
  Step begin_aggregate(char type, std::string_view count);
  Step close(RespValue value);
  Step fail(std::string reason);

  ReplyLimits limits_;
  std::string buffer_;
  std::size_t position_ = 0;     // The next byte of buffer_ to understand.
  std::size_t scanned_ = 0;      // No end of line before this byte.
  std::size_t value_bytes_ = 0;  // Of the value that is being read, as far as it was understood.
  std::size_t value_items_ = 0;
  std::optional<std::size_t> bulk_size_;
  char bulk_type_ = '$';
  std::vector<Open> open_;
  std::optional<RespValue> done_;
  std::string broken_;
};

}  // namespace hotkeyd
