#include "resp/reply_parser.h"

#include <utility>

#include "base/text.h"
#include "resp/number.h"

namespace hotkeyd {
namespace {

using Kind = RespValue::Kind;

constexpr std::size_t kCompactBytes = 64 * 1024;

Kind aggregate_kind(char type) {
  if (type == '%' || type == '|') return Kind::map;
  return type == '>' ? Kind::push : Kind::array;
}

RespValue make_value(Kind kind, std::string_view text = {}, std::int64_t integer = 0) {
  RespValue value;
  value.kind = kind;
  value.text = text;
  value.integer = integer;
  return value;
}

}  // namespace

void ReplyParser::feed(std::string_view bytes) {
  if (position_ >= kCompactBytes && position_ >= buffer_.size() / 2) {
    buffer_.erase(0, position_);
    scanned_ -= position_;
    position_ = 0;
  }
  buffer_ += bytes;
}

Result<std::optional<RespValue>> ReplyParser::next() {
  if (!broken_.empty()) return Error{broken_};
  while (!done_) {
    const Step taken = step();
    if (taken == Step::incomplete) return std::optional<RespValue>();
    if (taken == Step::failed) return Error{broken_};
  }
  value_bytes_ = value_items_ = 0;
  return std::exchange(done_, std::nullopt);
}

ReplyParser::Step ReplyParser::fail(std::string reason) {
  broken_ = "broken reply: " + std::move(reason);
  buffer_.clear();
  open_.clear();
  position_ = scanned_ = 0;
  return Step::failed;
}

ReplyParser::Step ReplyParser::step() {
  if (bulk_size_) return read_bulk();
  std::string_view line;
  if (const Step taken = take_line(line); taken != Step::advanced) return taken;
  if (++value_items_ > limits_.items_max) return fail("too many items");
  const char type = line.empty() ? '\0' : line.front();
  const std::string_view text = line.substr(line.empty() ? 0 : 1);
  switch (type) {
    case '$':
    case '!':
    case '=':
      return begin_bulk(type, text);
    case '*':
    case '~':
    case '>':
    case '%':
    case '|':
      return begin_aggregate(type, text);
    default:
      return read_plain(type, text);
  }
}

ReplyParser::Step ReplyParser::take_line(std::string_view& line) {
  const std::size_t end = buffer_.find('\n', scanned_);
  const std::size_t seen = (end == std::string::npos ? buffer_.size() : end + 1) - position_;
  if (value_bytes_ + seen > limits_.bytes_max) return fail("too large");
  if (end == std::string::npos) {
    scanned_ = buffer_.size();
    return Step::incomplete;
  }
  if (end == position_ || buffer_[end - 1] != '\r') return fail("a line that does not end with CR LF");
  line = std::string_view(buffer_).substr(position_, end - 1 - position_);
  position_ = scanned_ = end + 1;
  value_bytes_ += seen;
  return Step::advanced;
}

ReplyParser::Step ReplyParser::read_plain(char type, std::string_view text) {
  switch (type) {
    case '+':
      return close(make_value(Kind::simple, text));
    case '-':
      return close(make_value(Kind::error, text));
    case ',':
    case '(':
      return text.empty() ? fail("a number without digits") : close(make_value(Kind::number, text));
    case '_':
      return text.empty() ? close(make_value(Kind::null)) : fail("a null with a value");
    case '#':
      if (text != "t" && text != "f") return fail("a boolean that is neither t nor f");
      return close(make_value(Kind::boolean, {}, text == "t" ? 1 : 0));
    case ':':
      break;
    default:
      return fail("unknown type '" + redis_escape(std::string_view(&type, 1)) + "'");
  }
  const auto integer = parse_resp_integer(text.starts_with('+') ? text.substr(1) : text);
  return integer ? close(make_value(Kind::integer, {}, *integer)) : fail("not an integer");
}

ReplyParser::Step ReplyParser::begin_bulk(char type, std::string_view size) {
  const auto number = parse_resp_integer(size);
  if (number == -1 && type == '$') return close(make_value(Kind::null));
  if (!number || *number < 0) return fail("invalid bulk length");
  if (static_cast<std::uint64_t>(*number) > limits_.bytes_max) return fail("too large");
  bulk_size_ = static_cast<std::size_t>(*number);
  bulk_type_ = type;
  if (value_bytes_ + *bulk_size_ + 2 > limits_.bytes_max) return fail("too large");
  return Step::advanced;
}

ReplyParser::Step ReplyParser::read_bulk() {
  const std::size_t size = *bulk_size_;
  if (buffer_.size() - position_ < size + 2) return Step::incomplete;
  std::string_view bytes = std::string_view(buffer_).substr(position_, size);
  if (buffer_.compare(position_ + size, 2, "\r\n") != 0) return fail("a bulk that does not end with CR LF");
  if (bulk_type_ == '=') {  // "txt:" or "mkd:" stands before a verbatim string.
    if (size < 4 || bytes[3] != ':') return fail("a verbatim string without its format");
    bytes.remove_prefix(4);
  }
  bulk_size_.reset();
  position_ += size + 2;
  scanned_ = position_;
  value_bytes_ += size + 2;
  return close(make_value(bulk_type_ == '!' ? Kind::error : Kind::bulk, bytes));
}

ReplyParser::Step ReplyParser::begin_aggregate(char type, std::string_view count) {
  const auto number = parse_resp_integer(count);
  if (number == -1 && type == '*') return close(make_value(Kind::null));
  if (!number || *number < 0) return fail("invalid count of items");
  if (static_cast<std::uint64_t>(*number) > limits_.items_max) return fail("too many items");
  if (type == '>' && !open_.empty()) return fail("a push within a value");
  const bool is_attribute = type == '|';
  const Kind kind = aggregate_kind(type);
  const std::size_t items = static_cast<std::size_t>(*number) * (kind == Kind::map ? 2 : 1);
  if (items == 0) return is_attribute ? Step::advanced : close(make_value(kind));
  if (open_.size() == limits_.depth_max) return fail("nested too deeply");
  open_.push_back({make_value(kind), items, is_attribute});
  return Step::advanced;
}

// Hands a whole value to the aggregate it belongs to, and that one to its own when it was the last item.
ReplyParser::Step ReplyParser::close(RespValue value) {
  while (!open_.empty()) {
    Open& parent = open_.back();
    parent.value.items.push_back(std::move(value));
    if (--parent.awaited > 0) return Step::advanced;
    const bool is_attribute = parent.is_attribute;
    value = std::move(parent.value);
    open_.pop_back();
    if (is_attribute) return Step::advanced;  // Dropped; what it speaks of follows.
  }
  done_ = std::move(value);
  return Step::advanced;
}

}  // namespace hotkeyd
