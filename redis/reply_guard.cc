#include "redis/reply_guard.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace hotkeyd {

Result<void> ReplyGuard::admit(std::string_view bytes) {
  while (!bytes.empty()) {
    if (skip_ > 0) {
      const std::size_t skipped = std::min(skip_, bytes.size());
      bytes.remove_prefix(skipped);
      skip_ -= skipped;
      continue;
    }
    bytes = take_line(bytes);
    if (line_.size() > caps_.line_max) return Error{"protocol error: a line is too long"};
    if (line_.ends_with("\r\n")) {
      if (auto judged = judge_line(); !judged) return judged;
      line_.clear();
    }
  }
  return {};
}

std::string_view ReplyGuard::take_line(std::string_view bytes) {
  const std::size_t newline = bytes.find('\n');
  const std::size_t taken = newline == std::string_view::npos ? bytes.size() : newline + 1;
  line_ += bytes.substr(0, std::min(taken, caps_.line_max + 1));
  return bytes.substr(taken);
}

Result<void> ReplyGuard::judge_line() {
  if (line_[0] == '$') return judge_length(caps_.bulk_max, true);
  if (line_[0] == '*') return judge_length(caps_.items_max, false);
  return {};
}

Result<void> ReplyGuard::judge_length(std::size_t length_max, bool is_bulk) {
  std::int64_t length = 0;
  const char* const end = line_.data() + line_.size() - 2;
  const auto [last, failure] = std::from_chars(line_.data() + 1, end, length);
  if (failure != std::errc{} || last != end || length < -1)
    return Error{"protocol error: a length is no number"};
  if (length > static_cast<std::int64_t>(length_max)) return Error{"protocol error: a reply is too large"};
  if (is_bulk && length >= 0) skip_ = static_cast<std::size_t>(length) + 2;
  return {};
}

}  // namespace hotkeyd
