// Cuts a stream of bytes into lines, in memory that does not grow with the lines.
//
// A MONITOR dump holds whole values: one SET of 512 MB is one line. The splitter keeps the first `line_max`
// bytes of a line, skips the rest and tells how many there were, so that key and size of the value are still
// known.
//
//   splitter.feed(chunk);
//   while (auto line = splitter.next()) parser.parse(*line);
//   ... at the end of the file:
//   splitter.finish();
//   while (auto line = splitter.next()) parser.parse(*line);
//
// With `quoted` it cuts records of RFC 4180: a quoted field, which begins after a comma or at the record's
// start, may hold line breaks. A quote that is not closed within `line_max` bytes costs its own line only; up
// to there, every line break ends a record.
//
// Pure and single-threaded; what comes out does not depend on how the bytes were cut; linear. Memory:
// `line_max` and what the caller feeds at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hotkeyd {

struct Line {
  std::string_view text;  // Without its line break ("\n" or "\r\n"). Valid until the next feed().
  std::uint64_t number =
      1;                  // Of the line in the file, the first is 1; where a record has several, its first.
  std::uint64_t cut = 0;  // Bytes that were skipped at its end.

  bool operator==(const Line&) const = default;
};

struct LineOptions {
  std::size_t line_max = std::size_t{1} << 20;  // Bytes.
  bool quoted = false;
};

class LineSplitter {
 public:
  explicit LineSplitter(LineOptions options = {}) : options_(options) {}

  // Takes the next bytes of the file. Call next() until it has no more, then feed again.
  void feed(std::string_view bytes);

  // The file has ended: its last line needs no line break.
  void finish() { finished_ = true; }

  std::optional<Line> next();

 private:
  enum class Place : std::uint8_t { field_start, bare, quoted, quote_in_quoted };

  std::optional<std::size_t> find_end();
  std::optional<std::size_t> find_record_end();
  bool is_left_open() const;
  void read_as_plain_lines();
  void drop_excess();
  Line take(std::size_t size, std::size_t line_break);
  std::size_t pending() const { return buffer_.size() - begin_; }

  LineOptions options_;
  std::string buffer_;
  std::size_t begin_ = 0;             // Of the line that comes next, in buffer_.
  std::size_t examined_ = 0;          // Bytes of that line known to hold no end of it.
  Place place_ = Place::field_start;  // At examined_.
  std::uint64_t line_breaks_ = 0;     // In the quotes so far.
  std::uint64_t cut_ = 0;             // Bytes of that line dropped so far.
  std::size_t plain_ = 0;             // Lines that begin within so many bytes have no quotes.
  std::uint64_t number_ = 1;
  bool finished_ = false;
};

}  // namespace hotkeyd
