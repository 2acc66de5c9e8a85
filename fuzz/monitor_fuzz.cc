// A dump of any bytes, cut anywhere: the same accesses, however it is cut; and every line that Redis could
// have printed gives back its arguments.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "sources/parse_monitor.h"

namespace {

using namespace hotkeyd;

void require(bool claim) {
  if (!claim) std::abort();
}

void append(std::string& transcript, MonitorParser& parser, const Line& line) {
  transcript += std::to_string(line.number) + ' ' + std::to_string(line.cut);
  const auto accesses = parser.parse(line);
  if (!accesses) {
    transcript += accesses.error();
    return;
  }
  for (const ParsedAccess& access : *accesses) {
    require(access.key.size() <= line.text.size());
    transcript += std::to_string(access.time) + std::string(access.key) + std::to_string(access.bytes);
  }
}

std::string read(std::string_view dump, std::size_t piece) {
  LineSplitter splitter({.line_max = 200});
  MonitorParser parser;
  std::string transcript;
  for (; !dump.empty(); dump.remove_prefix(std::min(piece, dump.size()))) {
    splitter.feed(dump.substr(0, piece));
    while (const auto line = splitter.next()) append(transcript, parser, *line);
  }
  splitter.finish();
  while (const auto line = splitter.next()) append(transcript, parser, *line);
  return transcript;
}

// Printed as Redis prints it, the input is one argument again.
void check_round_trip(std::string_view argument) {
  const std::string text = "1.5 [0 lua] \"GET\" \"" + redis_escape(argument) + "\" \"\"";
  MonitorLine line;
  require(parse_monitor_line(text, false, line).has_value());
  require(line.arguments.size() == 3 && line.arguments[2].empty() && line.quoting == MonitorQuoting::escaped);
  std::string decoded;
  require(decode_monitor_argument(line.arguments[1], line.quoting, decoded) == argument);
  require(monitor_argument_size(line.arguments[1], line.quoting) == argument.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 1) return 0;
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  const std::size_t piece = 1 + static_cast<unsigned char>(input[0]);
  const std::string_view dump = input.substr(1);
  require(read(dump, piece) == read(dump, dump.size() + 1));
  check_round_trip(dump);
  return 0;
}
