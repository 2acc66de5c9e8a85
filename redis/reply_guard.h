// The caps in front of hiredis' reader.
//
// That reader accepts any length a server announces and searches an unterminated line again with every piece
// that arrives. The guard follows the same grammar one byte at a time and refuses long lines, large bulks and
// large arrays before the reader sees them. Linear in the bytes, no allocation but one short line. Pure; one
// thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hotkeyd {

struct ReplyCaps {
  std::size_t line_max = 16 << 10;   // Of a status, error or integer.
  std::size_t bulk_max = 4 << 20;    // Of one string.
  std::size_t items_max = 100'000;   // Of one reply, over all its arrays.
  std::size_t reply_max = 64 << 20;  // Bytes of one reply.
};

class ReplyGuard {
 public:
  explicit ReplyGuard(ReplyCaps caps) : caps_(caps) {}

  // An error once the stream breaks a cap; the stream is of no use from then on.
  Result<void> admit(std::string_view bytes);

 private:
  std::string_view take_line(std::string_view bytes);
  Result<void> judge_line();
  Result<void> judge_length(std::size_t length_max, bool is_bulk);

  ReplyCaps caps_;
  std::string line_;      // The head of a line that is not complete yet, its CR included.
  std::size_t skip_ = 0;  // Bytes of a bulk and its CRLF still to come.
};

}  // namespace hotkeyd
