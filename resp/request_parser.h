// Reads requests as a Redis server does: arrays of bulk strings and inline commands, from a byte stream.
//
// Incremental and zero copy: the caller keeps the bytes and offers what it has; arguments are views into
// them. Linear: a byte is looked at a bounded number of times however the stream is cut (`bytes_examined`
// counts), and nothing is allocated per request once the argument vector has grown. Accepts and refuses what
// real servers do: any byte after the CR of a header, any two bytes after a bulk, no leading zeros, no sign;
// an inline line that holds a NUL never ends. Only a wrong type byte is refused before its line is whole.
// Every cut of a stream gives the same requests and the same error. Bounded: never incomplete with more than
// `frame_max` bytes at hand. Pure; standard library only; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hotkeyd {

struct RequestLimits {
  std::size_t frame_max = 1 << 20;  // Bytes of one request, headers included; at most 2 GiB.
  std::size_t arguments_max = 65'536;
};

class RequestParser {
 public:
  enum class Status { incomplete, request, error };

  struct Outcome {
    Status status = Status::incomplete;
    // request: bytes of `buffer` this request took (an empty one, as *0 or a blank line, is skipped silently
    // and never reported). incomplete: bytes at the front that may be dropped (skipped empty requests), often
    // 0.
    std::size_t consumed = 0;
  };

  explicit RequestParser(RequestLimits limits = {}) : limits_(limits) {}

  // Parses the first request of `buffer`. While incomplete, call again with the same bytes (less `consumed`)
  // and more behind them; where they lie in memory may change.
  Outcome parse(std::string_view buffer);

  // After `request`: its arguments, views into the buffer of that call (of an inline command with quotes:
  // into this parser, until the next call); at least one.
  std::span<const std::string_view> arguments() const { return arguments_; }
  // After `error`: the text behind "-ERR Protocol error: ". The connection must be closed. One byte of the
  // client may stand in it, so send it with RespWriter::error.
  const std::string& error() const { return error_; }
  // Bytes looked at since construction: tests bound it.
  std::uint64_t bytes_examined() const { return bytes_examined_; }
  // Between requests.
  void set_limits(RequestLimits limits) { limits_ = limits; }

 private:
  enum class Step { incomplete, whole, failed };
  struct LengthErrors {
    std::string_view too_long;
    std::string_view invalid;
  };
  struct Place {
    std::uint32_t offset;
    std::uint32_t size;
  };
  static constexpr std::size_t kNone = ~std::size_t{0};

  Step parse_inline(std::string_view frame);
  Step parse_array(std::string_view frame);
  Step begin_array(std::string_view frame);
  Step read_bulks(std::string_view frame);
  Step read_bulk_header(std::string_view frame);
  void read_whole_bulks(std::string_view frame);
  Step read_length(std::string_view frame, const LengthErrors& errors, std::int64_t& length);
  std::size_t find(std::string_view frame, char wanted, std::size_t end_max);
  void park_arguments(std::string_view frame);
  void unpark_arguments(std::string_view frame);
  void begin_request();
  Step fail(std::string_view reason);

  RequestLimits limits_;
  std::vector<std::string_view> arguments_;
  std::vector<Place> parked_;  // The arguments of earlier calls of this request: the bytes may move.
  std::string unquoted_;       // Bytes of inline arguments that were quoted.
  std::string error_;
  std::uint64_t bytes_examined_ = 0;

  // Where the request stands; offsets are from its first byte.
  std::size_t position_ = 0;  // The next byte to understand.
  std::size_t scanned_ = 0;   // No end of line before this byte.
  std::size_t awaited_ = 0;   // Arguments still to come.
  std::size_t bulk_size_ = kNone;
  bool has_nul_ = false;  // Of an inline line.
};

}  // namespace hotkeyd
