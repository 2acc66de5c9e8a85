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

// Reads the stream a piece more at a time, each time from another copy of it: the bytes move.
Transcript read(std::string_view stream, std::size_t piece, RequestLimits limits) {
  const std::string copies[2] = {std::string(stream), std::string(stream)};
  RequestParser parser(limits);
  Transcript transcript;
  std::size_t taken = 0;
  for (std::size_t end = std::min(piece, stream.size()), turn = 0;; ++turn) {
    const auto outcome = parser.parse(std::string_view(copies[turn % 2]).substr(taken, end - taken));
    taken += outcome.consumed;
    require(taken <= end);
    if (outcome.status == RequestParser::Status::request) {
      require(!parser.arguments().empty());
      transcript.arguments.insert(transcript.arguments.end(), parser.arguments().begin(),
                                  parser.arguments().end());
      transcript.arguments.emplace_back("\r\n");
      continue;
    }
    if (outcome.status == RequestParser::Status::error) transcript.error = parser.error();
    if (outcome.status == RequestParser::Status::error || end == stream.size()) break;
    require(end - taken <= limits.frame_max);
    end = std::min(end + piece, stream.size());
  }
  require(parser.bytes_examined() <= 4 * stream.size() + 64);
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
