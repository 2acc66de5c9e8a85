#include "analyze/recording_format.h"

#include <algorithm>
#include <array>

#include "sources/parse_csv.h"
#include "sources/parse_monitor.h"

namespace hotkeyd {
namespace {

using namespace std::string_view_literals;

constexpr std::array kCaptures{"\xd4\xc3\xb2\xa1"sv, "\xa1\xb2\xc3\xd4"sv, "\x4d\x3c\xb2\xa1"sv,
                               "\xa1\xb2\x3c\x4d"sv, "\x0a\x0d\x0d\x0a"sv};
constexpr std::array kCompressed{"\x1f\x8b"sv, "\x28\xb5\x2f\xfd"sv, "\xfd\x37zXZ"sv, "BZh"sv};

constexpr std::size_t kJudgedMax = 100;  // Lines.

bool begins_with_any(std::string_view head, const auto& magics) {
  return std::any_of(magics.begin(), magics.end(),
                     [&](std::string_view magic) { return head.starts_with(magic); });
}

enum class Likeness : std::uint8_t { none, neutral, full };

Likeness to_monitor(const Line& line) {
  MonitorLine read;
  if (!parse_monitor_line(line.text, line.cut > 0, read)) return Likeness::none;
  return read.arguments.empty() ? Likeness::neutral : Likeness::full;  // "OK" says what would follow.
}

Likeness to_csv(const Line& line) { return CsvParser().parse(line) ? Likeness::full : Likeness::none; }

// Of the first lines, without blank ones.
struct Lines {
  std::size_t all = 0;
  std::size_t alike = 0;  // At least neutral.
  std::size_t full = 0;

  bool have_the_format() const { return full > 0 && alike * 2 >= all; }
};

Lines judge(std::string_view head, bool quoted, Likeness (*likeness)(const Line&)) {
  LineSplitter splitter({.quoted = quoted});
  splitter.feed(head);
  splitter.finish();
  Lines lines;
  while (lines.all < kJudgedMax) {
    const auto line = splitter.next();
    if (!line) break;
    if (line->text.empty()) continue;
    ++lines.all;
    const Likeness found = likeness(*line);
    if (found != Likeness::none) ++lines.alike;
    if (found == Likeness::full) ++lines.full;
  }
  return lines;
}

}  // namespace

Result<RecordingFormat> recording_format(std::string_view head) {
  if (begins_with_any(head, kCaptures)) {
    return Error{
        "is a packet capture (pcap), which this version cannot read: give it what MONITOR prints, or CSV"};
  }
  if (begins_with_any(head, kCompressed)) {
    return Error{"is compressed: unpack it into standard input, as in zcat FILE | hotkeyctl analyze -"};
  }
  const Lines monitor = judge(head, false, to_monitor);
  if (monitor.all == 0) return RecordingFormat::csv;
  if (monitor.have_the_format() || monitor.alike == monitor.all) return RecordingFormat::monitor;
  if (judge(head, true, to_csv).have_the_format()) return RecordingFormat::csv;
  return Error{
      "is neither a MONITOR dump nor a CSV trace of time,key[,op[,bytes]] (no header, time in seconds since "
      "1970)"};
}

}  // namespace hotkeyd
