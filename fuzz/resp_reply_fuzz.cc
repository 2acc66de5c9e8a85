// Any bytes, cut anywhere, under small limits: never a fault, always the same values.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "resp/reply_parser.h"

namespace {

using hotkeyd::ReplyLimits;
using hotkeyd::ReplyParser;
using hotkeyd::RespValue;

struct Transcript {
  std::vector<RespValue> values;
  std::string error;
  bool operator==(const Transcript&) const = default;
};

Transcript read(std::string_view stream, std::size_t piece) {
  ReplyParser parser(ReplyLimits{.bytes_max = 100'000, .items_max = 1000, .depth_max = 8});
  Transcript transcript;
  for (; !stream.empty() && transcript.error.empty(); stream.remove_prefix(std::min(piece, stream.size()))) {
    parser.feed(stream.substr(0, piece));
    auto value = parser.next();
    for (; value && *value; value = parser.next()) transcript.values.push_back(std::move(**value));
    if (!value) transcript.error = value.error();
  }
  return transcript;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 1) return 0;
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  const std::size_t piece = 1 + static_cast<unsigned char>(input[0]);
  const std::string_view stream = input.substr(1);
  if (!(read(stream, piece) == read(stream, stream.size()))) std::abort();
  return 0;
}
