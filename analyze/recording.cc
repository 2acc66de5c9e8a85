#include "analyze/recording.h"

#include <string>
#include <string_view>
#include <utility>

namespace hotkeyd {
namespace {

constexpr std::size_t kChunk = std::size_t{256} << 10;
constexpr std::size_t kHead =
    LineOptions{}.line_max + kChunk;  // So that a first line is whole, or cut as others are.
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // Some spreadsheets begin a CSV file so.

}  // namespace

Recording::Recording(ByteSource& source) : source_(source), chunk_(kChunk) {}

const ParsedAccess* Recording::next() {
  while (pending_.empty()) {
    if (!parse_line()) return nullptr;
  }
  const ParsedAccess* access = &pending_.front();
  pending_ = pending_.subspan(1);
  return access;
}

// False at the end; a line may well hold no access.
bool Recording::parse_line() {
  if (error_ || (!splitter_ && !open())) return false;
  auto line = splitter_->next();
  while (!line) {
    if (is_at_end_ || !fill()) return false;
    line = splitter_->next();
  }
  take(*line);
  return true;
}

void Recording::take(const Line& line) {
  ++stats_.lines;
  if (line.text.empty()) return;
  if (format_ == RecordingFormat::monitor) {
    const auto accesses = monitor_.parse(line);
    return accesses ? void(pending_ = *accesses) : skip(line, accesses.error());
  }
  const auto access = csv_.parse(line);
  if (!access) return skip(line, access.error());
  of_csv_ = *access;
  pending_ = {&of_csv_, 1};
}

void Recording::skip(const Line& line, const std::string& reason) {
  ++stats_.bad_lines;
  if (stats_.first_bad.size() < kToldMax) stats_.first_bad.push_back({line.number, reason});
}

// Reads as much as tells the format: pipes give little at a time.
bool Recording::open() {
  std::string head;
  while (head.size() < kHead) {
    const auto size = source_.read(chunk_);
    if (!size) return fail(size.error());
    if (*size == 0) {
      is_at_end_ = true;
      break;
    }
    head.append(chunk_.data(), *size);
  }
  if (head.starts_with(kByteOrderMark)) head.erase(0, kByteOrderMark.size());
  const auto format = recording_format(head);
  if (!format) return fail(format.error());
  format_ = *format;
  splitter_.emplace(LineOptions{.quoted = format_ == RecordingFormat::csv});
  splitter_->feed(head);
  if (is_at_end_) splitter_->finish();
  return true;
}

bool Recording::fill() {
  const auto size = source_.read(chunk_);
  if (!size) return fail(size.error());
  if (*size == 0) {
    is_at_end_ = true;
    splitter_->finish();
  } else {
    splitter_->feed({chunk_.data(), *size});
  }
  return true;
}

bool Recording::fail(std::string reason) {
  error_ = std::move(reason);
  return false;
}

}  // namespace hotkeyd
