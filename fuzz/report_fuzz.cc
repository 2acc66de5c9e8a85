// A command's bytes as HOTKEY REPORT: what decodes must mean the same after it is written again.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "resp/request_parser.h"
#include "wire/report.h"

namespace {

using hotkeyd::Report;
using hotkeyd::RequestParser;

bool decode(RequestParser& parser, std::string_view bytes, Report& report) {
  if (parser.parse(bytes).status != RequestParser::Status::request) return false;
  const auto arguments = parser.arguments();
  return arguments.size() >= 2 && hotkeyd::decode_report(arguments.subspan(2), report).has_value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  RequestParser parser;
  Report report;
  if (!decode(parser, {reinterpret_cast<const char*>(bytes), size}, report)) return 0;
  for (const auto& row : report.rows) {
    if (row.misses > row.reads || row.local_hits > row.reads) std::abort();
  }
  std::string written;
  append_report(written, report);
  RequestParser second_parser({.frame_max = 64 << 20});
  Report second;
  if (!decode(second_parser, written, second)) std::abort();
  std::string again;
  append_report(again, second);
  if (again != written) std::abort();
  return 0;
}
