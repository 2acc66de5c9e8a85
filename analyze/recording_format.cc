#include "analyze/recording_format.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sources/parse_csv.h"
#include "sources/parse_monitor.h"

namespace hotkeyd {
namespace {

using namespace std::string_view_literals;

constexpr std::array kCaptures{"\xd4\xc3\xb2\xa1"sv, "\xa1\xb2\xc3\xd4"sv, "\x4d\x3c\xb2\xa1"sv,
                               "\xa1\xb2\x3c\x4d"sv, "\x0a\x0d\x0d\x0a"sv};
constexpr std::array kCompressed{"\x1f\x8b"sv, "\x28\xb5\x2f\xfd"sv, "\xfd\x37zXZ"sv, "BZh"sv};

bool begins_with_any(std::string_view head, const auto& magics) {
  return std::any_of(magics.begin(), magics.end(),
                     [&](std::string_view magic) { return head.starts_with(magic); });
}

std::optional<RecordingFormat> format_of(const Line& line) {
  MonitorLine monitor;
  if (parse_monitor_line(line.text, line.cut > 0, monitor)) return RecordingFormat::monitor;
  if (CsvParser().parse(line)) return RecordingFormat::csv;
  return std::nullopt;
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
  LineSplitter splitter;
  splitter.feed(head);
  splitter.finish();
  bool is_blank = true;
  while (const auto line = splitter.next()) {
    if (line->text.empty()) continue;
    is_blank = false;
    if (const auto format = format_of(*line)) return *format;
  }
  if (is_blank) return RecordingFormat::csv;
  return Error{"is neither a MONITOR dump nor a CSV trace of time,key[,op[,bytes]] (no header)"};
}

}  // namespace hotkeyd
