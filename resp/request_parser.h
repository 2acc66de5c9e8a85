// Reads requests as a Redis server does: arrays of bulk strings and inline commands, from a byte stream.
//
// Incremental and zero copy: the caller keeps the bytes and offers what it has; arguments are views into them.
// Linear: a byte is looked at a bounded number of times however the stream is cut (`bytes_examined` counts), and
// nothing is allocated per request once the argument vector has grown. Accepts and refuses what real servers do.
// Pure; standard library only; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hotkeyd {

struct RequestLimits {
  std::size_t frame_max = 1 << 20;    // Bytes of one request, headers included.
  std::size_t arguments_max = 65'536;
};

class RequestParser {
 public:
  enum class Status { incomplete, request, error };

  struct Outcome {
    Status status = Status::incomplete;
    // request: bytes of `buffer` this request took (an empty one, as *0 or a blank line, is skipped silently and
    // never reported). incomplete: bytes at the front that may be dropped (skipped empty requests), often 0.
    std::size_t consumed = 0;
  };

  explicit RequestParser(RequestLimits limits = {}) : limits_(limits) {}

  // Parses the first request of `buffer`. While incomplete, call again with the same bytes (less `consumed`) and
  // more behind them; where they lie in memory may change.
  Outcome parse(std::string_view buffer);

  // After `request`: its arguments, views into the buffer of that call; at least one.
  std::span<const std::string_view> arguments() const { return arguments_; }
  // After `error`: the text behind "-ERR Protocol error: ". The connection must be closed.
  const std::string& error() const { return error_; }
  // Bytes looked at since construction: tests bound it.
  std::uint64_t bytes_examined() const { return bytes_examined_; }
  void set_limits(RequestLimits limits) { limits_ = limits; }

 private:
  RequestLimits limits_;
  std::vector<std::string_view> arguments_;
  std::string error_;
  std::uint64_t bytes_examined_ = 0;
};

}  // namespace hotkeyd
