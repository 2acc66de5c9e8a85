// A trace of any bytes, cut anywhere: the same records, however it is cut; and every key that is quoted as
// RFC 4180 says is read back.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "sources/parse_csv.h"

namespace {

using namespace hotkeyd;

void require(bool claim) {
  if (!claim) std::abort();
}

void append(std::string& transcript, CsvParser& parser, const Line& line) {
  transcript += std::to_string(line.number) + ' ' + std::to_string(line.cut);
  const auto access = parser.parse(line);
  if (access) require(access->key.size() <= line.text.size());
  transcript += access ? std::to_string(access->time) + std::string(access->key) : access.error();
}

std::string read(std::string_view trace, std::size_t piece, LineOptions options) {
  LineSplitter splitter(options);
  CsvParser parser;
  std::string transcript;
  for (; !trace.empty(); trace.remove_prefix(std::min(piece, trace.size()))) {
    splitter.feed(trace.substr(0, piece));
    while (const auto line = splitter.next()) append(transcript, parser, *line);
  }
  splitter.finish();
  while (const auto line = splitter.next()) append(transcript, parser, *line);
  return transcript;
}

void check_round_trip(std::string_view key) {
  std::string record = "1.5,\"";
  for (const char byte : key) record.append(byte == '"' ? 2 : 1, byte);
  record += "\",miss,7\r\nnext";
  LineSplitter splitter({.quoted = true});
  splitter.feed(record);
  const auto line = splitter.next();
  require(line.has_value());
  CsvParser parser;
  const auto access = parser.parse(*line);
  require(access && *access == ParsedAccess{1'500'000, key, AccessKind::miss, 7});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  const std::size_t piece = 1 + static_cast<unsigned char>(input[0]);
  const LineOptions options{.line_max = input[1] % 2 == 0 ? std::size_t{1} << 20 : 24, .quoted = true};
  const std::string_view trace = input.substr(2);
  require(read(trace, piece, options) == read(trace, trace.size() + 1, options));
  check_round_trip(trace);
  return 0;
}
