// One recording, read access by access.
//
// Lines that cannot be read are skipped and counted; the first few are kept with number and reason, to be
// told. Memory: one chunk of 256 KiB and, of lines, at most 1.5 MiB, whatever the file's size. Pure: bytes
// come from a ByteSource. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyze/byte_source.h"
#include "analyze/recording_format.h"
#include "sources/line_splitter.h"
#include "sources/parse_csv.h"
#include "sources/parse_monitor.h"

namespace hotkeyd {

struct BadLine {
  std::uint64_t number = 0;
  std::string reason;

  bool operator==(const BadLine&) const = default;
};

struct RecordingStats {
  std::uint64_t lines = 0;  // Blank ones included.
  std::uint64_t bad_lines = 0;
  std::vector<BadLine> first_bad;  // At most kToldMax.

  bool operator==(const RecordingStats&) const = default;
};

class Recording {
 public:
  static constexpr std::size_t kToldMax = 5;

  // The source must outlive it.
  explicit Recording(ByteSource& source);

  // The next access, valid until the next call; null at the end or after an error.
  const ParsedAccess* next();
  // Why reading ended early: unreadable, or no recording at all.
  const std::optional<std::string>& error() const { return error_; }
  const RecordingStats& stats() const { return stats_; }

 private:
  bool fill();
  bool open();
  bool parse_line();
  void take(const Line& line);
  void skip(const Line& line, const std::string& reason);
  bool fail(std::string reason);

  ByteSource& source_;
  std::vector<char> chunk_;
  std::optional<LineSplitter> splitter_;
  RecordingFormat format_ = RecordingFormat::csv;
  CsvParser csv_;
  MonitorParser monitor_;
  ParsedAccess of_csv_;
  std::span<const ParsedAccess> pending_;
  bool is_at_end_ = false;
  std::optional<std::string> error_;
  RecordingStats stats_;
};

}  // namespace hotkeyd
