#include "resp/request_parser.h"

#include <algorithm>
#include <cstring>

#include "resp/inline_arguments.h"
#include "resp/number.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kLineMax = 64 * 1024;
// "$", up to seven digits, CR and the byte behind it: a header that fits is read without a search.
constexpr std::size_t kShortHeader = 10;

std::size_t as_digit(char c) { return static_cast<std::size_t>(static_cast<unsigned char>(c)) - '0'; }

}  // namespace

RequestParser::Outcome RequestParser::parse(std::string_view buffer) {
  std::size_t skipped = 0;
  while (skipped < buffer.size()) {
    const std::string_view frame = buffer.substr(skipped);
    if (position_ == 0 && scanned_ == 0) begin_request();
    const Step step = frame.front() == '*' ? parse_array(frame) : parse_inline(frame);
    if (step == Step::incomplete) break;
    if (step == Step::failed) return {Status::error, skipped};
    skipped += position_;
    position_ = scanned_ = 0;
    if (!arguments_.empty()) return {Status::request, skipped};
  }
  return {Status::incomplete, skipped};
}

void RequestParser::begin_request() {
  arguments_.clear();
  parked_.clear();
  bulk_size_ = kNone;
  has_nul_ = false;
}

RequestParser::Step RequestParser::fail(std::string_view reason) {
  arguments_.clear();
  error_ = reason;
  return Step::failed;
}

// Looks for `wanted` from scanned_ on, before `end_max`, and never again at what it has looked at.
std::size_t RequestParser::find(std::string_view frame, char wanted, std::size_t end_max) {
  const std::size_t end = std::min(frame.size(), end_max);
  if (scanned_ >= end) return kNone;
  const void* found = std::memchr(frame.data() + scanned_, wanted, end - scanned_);
  const std::size_t at =
      found == nullptr ? end : static_cast<std::size_t>(static_cast<const char*>(found) - frame.data());
  bytes_examined_ += at - scanned_ + 1;
  scanned_ = at;
  return found == nullptr ? kNone : at;
}

RequestParser::Step RequestParser::parse_inline(std::string_view frame) {
  const std::size_t line_max = std::min(kLineMax, limits_.frame_max);
  const std::size_t from = scanned_;
  const std::size_t end = has_nul_ ? kNone : find(frame, '\n', line_max);
  if (!has_nul_ && scanned_ > from) {
    has_nul_ = std::memchr(frame.data() + from, 0, scanned_ - from) != nullptr;
    bytes_examined_ += scanned_ - from;
  }
  if (end == kNone || has_nul_) {
    return frame.size() < line_max ? Step::incomplete : fail("too big inline request");
  }
  std::string_view line = frame.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  bytes_examined_ += line.size();
  position_ = end + 1;
  if (!split_inline(line, unquoted_, arguments_)) return fail("unbalanced quotes in request");
  return arguments_.size() <= limits_.arguments_max ? Step::whole : fail("too big inline request");
}

RequestParser::Step RequestParser::parse_array(std::string_view frame) {
  if (position_ == 0) {
    if (const Step step = begin_array(frame); step != Step::whole) return step;
  }
  const Step step = read_bulks(frame);
  if (step == Step::incomplete) park_arguments(frame);
  if (step == Step::whole) unpark_arguments(frame);
  return step;
}

RequestParser::Step RequestParser::begin_array(std::string_view frame) {
  constexpr LengthErrors kErrors{"too big mbulk count string", "invalid multibulk length"};
  std::int64_t count = 0;
  if (const Step step = read_length(frame, kErrors, count); step != Step::whole) return step;
  if (count > static_cast<std::int64_t>(limits_.arguments_max)) return fail(kErrors.invalid);
  awaited_ = count > 0 ? static_cast<std::size_t>(count) : 0;
  return Step::whole;
}

RequestParser::Step RequestParser::read_bulks(std::string_view frame) {
  while (true) {
    if (bulk_size_ == kNone) read_whole_bulks(frame);
    if (awaited_ == 0) return Step::whole;
    if (bulk_size_ == kNone) {
      if (const Step step = read_bulk_header(frame); step != Step::whole) return step;
    }
    if (frame.size() < position_ + bulk_size_ + 2) return Step::incomplete;
    arguments_.push_back(frame.substr(position_, bulk_size_));
    position_ += bulk_size_ + 2;
    scanned_ = position_;
    bulk_size_ = kNone;
    --awaited_;
  }
}

// The fast path: every bulk that is whole and has a short, plain header. It stops before anything else.
void RequestParser::read_whole_bulks(std::string_view frame) {
  if (scanned_ > position_) return;  // A header was begun in an earlier call.
  const char* const begin = frame.data();
  const char* const end = begin + std::min(frame.size(), limits_.frame_max);
  const char* at = begin + position_;
  std::size_t awaited = awaited_;
  std::size_t examined = 0;
  while (awaited > 0 && end - at >= static_cast<std::ptrdiff_t>(kShortHeader)) {
    std::size_t size = as_digit(at[1]);
    if (at[0] != '$' || size > 9) break;
    const char* behind = at + 2;
    if (size > 0) {  // A leading zero is followed by nothing else.
      for (std::size_t digit = 0; behind != at + 8 && (digit = as_digit(*behind)) <= 9; ++behind) {
        size = size * 10 + digit;
      }
    }
    if (*behind != '\r' || end - behind < static_cast<std::ptrdiff_t>(size + 4)) break;
    behind += 2;
    arguments_.emplace_back(behind, size);
    examined += static_cast<std::size_t>(behind - at);
    at = behind + size + 2;
    --awaited;
  }
  awaited_ = awaited;
  bytes_examined_ += examined;
  position_ = scanned_ = static_cast<std::size_t>(at - begin);
}

RequestParser::Step RequestParser::read_bulk_header(std::string_view frame) {
  constexpr LengthErrors kErrors{"too big bulk count string", "invalid bulk length"};
  if (position_ == frame.size()) return Step::incomplete;
  if (frame[position_] != '$') return fail(std::string("expected '$', got '") + frame[position_] + "'");
  std::int64_t size = 0;
  if (const Step step = read_length(frame, kErrors, size); step != Step::whole) return step;
  if (size < 0 || static_cast<std::size_t>(size) > limits_.frame_max) return fail(kErrors.invalid);
  bulk_size_ = static_cast<std::size_t>(size);
  return position_ + bulk_size_ + 2 <= limits_.frame_max ? Step::whole : fail("too big request");
}

// The number of the header line at position_, behind its first byte; moves behind the line.
RequestParser::Step RequestParser::read_length(std::string_view frame, const LengthErrors& errors,
                                               std::int64_t& length) {
  const std::size_t line_end_max = std::min(position_ + kLineMax, limits_.frame_max);
  const std::size_t end = find(frame, '\r', line_end_max - 1);
  if (end == kNone) return frame.size() < line_end_max ? Step::incomplete : fail(errors.too_long);
  if (frame.size() < end + 2) return Step::incomplete;
  const auto number = parse_resp_integer(frame.substr(position_ + 1, end - position_ - 1));
  if (!number) return fail(errors.invalid);
  length = *number;
  position_ = scanned_ = end + 2;
  return Step::whole;
}

void RequestParser::park_arguments(std::string_view frame) {
  for (const std::string_view argument : arguments_) {
    parked_.push_back({static_cast<std::uint32_t>(argument.data() - frame.data()),
                       static_cast<std::uint32_t>(argument.size())});
  }
  arguments_.clear();
}

void RequestParser::unpark_arguments(std::string_view frame) {
  if (parked_.empty()) return;
  arguments_.insert(arguments_.begin(), parked_.size(), std::string_view());
  std::transform(parked_.begin(), parked_.end(), arguments_.begin(),
                 [frame](Place place) { return frame.substr(place.offset, place.size); });
}

}  // namespace hotkeyd
