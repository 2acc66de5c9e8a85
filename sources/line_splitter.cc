#include "sources/line_splitter.h"

#include <algorithm>

namespace hotkeyd {

void LineSplitter::feed(std::string_view bytes) {
  buffer_.erase(0, begin_);
  begin_ = 0;
  buffer_.append(bytes);
}

std::optional<Line> LineSplitter::next() {
  auto end = find_end();
  if (!end && is_left_open()) {
    read_as_plain_lines();
    end = find_end();
  }
  if (end) return take(*end, 1);
  drop_excess();
  if (finished_ && pending() > 0) return take(pending(), 0);
  return std::nullopt;
}

std::optional<std::size_t> LineSplitter::find_end() {
  if (options_.quoted && plain_ == 0) return find_record_end();
  const std::size_t end = buffer_.find('\n', begin_ + examined_);
  if (end != std::string::npos) return end - begin_;
  examined_ = pending();
  return std::nullopt;
}

std::optional<std::size_t> LineSplitter::find_record_end() {
  for (; examined_ < pending(); ++examined_) {
    const char byte = buffer_[begin_ + examined_];
    if (place_ == Place::quoted) {
      if (examined_ >= options_.line_max) return std::nullopt;
      if (byte == '"') place_ = Place::quote_in_quoted;
      if (byte == '\n') ++line_breaks_;
    } else if (byte == '\n') {
      return examined_;
    } else if (byte == '"' && place_ != Place::bare && examined_ < options_.line_max) {
      place_ = Place::quoted;
    } else {
      place_ = byte == ',' ? Place::field_start : Place::bare;
    }
  }
  return std::nullopt;
}

bool LineSplitter::is_left_open() const {
  return place_ == Place::quoted && (examined_ >= options_.line_max || finished_);
}

void LineSplitter::read_as_plain_lines() {
  plain_ = examined_;
  examined_ = 0;
  place_ = Place::field_start;
  line_breaks_ = 0;
}

// Keeps the last byte too: it may be the '\r' of a line break that is yet to come.
void LineSplitter::drop_excess() {
  if (pending() <= options_.line_max + 1) return;
  cut_ += pending() - options_.line_max - 1;
  buffer_[begin_ + options_.line_max] = buffer_.back();
  buffer_.resize(begin_ + options_.line_max + 1);
  examined_ = pending();
}

Line LineSplitter::take(std::size_t size, std::size_t line_break) {
  const bool has_return = size > 0 && buffer_[begin_ + size - 1] == '\r';
  const std::size_t length = size - (has_return ? 1 : 0);
  const std::size_t kept = std::min(length, options_.line_max);
  const Line line{std::string_view(buffer_).substr(begin_, kept), number_, cut_ + (length - kept)};
  begin_ += size + line_break;
  plain_ -= std::min(plain_, size + line_break);
  number_ += 1 + line_breaks_;
  line_breaks_ = cut_ = examined_ = 0;
  place_ = Place::field_start;
  return line;
}

}  // namespace hotkeyd
