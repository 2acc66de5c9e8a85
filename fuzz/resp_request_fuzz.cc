// Any bytes, cut anywhere, under small limits: never a fault, never superlinear, always the same requests.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "resp/request_parser.h"

namespace {

using hotkeyd::RequestLimits;
using hotkeyd::RequestParser;

void require(bool claim) {
  if (!claim) std::abort();
}

struct Transcript {
  std::vector<std::string> arguments;
  std::string error;
  bool operator==(const Transcript&) const = default;
};

// Takes every request of `pending`, drops its bytes; false once the stream is refused.
bool take_requests(RequestParser& parser, std::string& pending, Transcript& transcript) {
  while (true) {
    const auto outcome = parser.parse(pending);
    require(outcome.consumed <= pending.size());
    if (outcome.status == RequestParser::Status::request) {
      require(!parser.arguments().empty());
      for (const auto argument : parser.arguments()) transcript.arguments.emplace_back(argument);
      transcript.arguments.emplace_back("\r\n");
    }
    pending.erase(0, outcome.consumed);
    if (outcome.status == RequestParser::Status::error) transcript.error = parser.error();
    if (outcome.status != RequestParser::Status::request)
      return outcome.status == RequestParser::Status::incomplete;
  }
}

Transcript read(std::string_view stream, std::size_t piece, RequestLimits limits) {
  RequestParser parser(limits);
  Transcript transcript;
  std::string pending;
  for (; !stream.empty(); stream.remove_prefix(std::min(piece, stream.size()))) {
    pending.append(stream.substr(0, piece));
    pending.shrink_to_fit();  // The bytes move.
    if (!take_requests(parser, pending, transcript)) break;
    require(pending.size() <= limits.frame_max);
  }
  return transcript;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  const std::size_t piece = 1 + static_cast<unsigned char>(input[0]);
  const RequestLimits limits{.frame_max = input[1] % 2 == 0 ? std::size_t{1} << 20 : 64, .arguments_max = 16};
  const std::string_view stream = input.substr(2);
  require(read(stream, piece, limits) == read(stream, stream.size(), limits));
  return 0;
}
