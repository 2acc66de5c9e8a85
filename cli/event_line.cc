#include "cli/event_line.h"

#include <algorithm>

#include "base/text.h"
#include "cli/format.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kWhatWidth = 11;
constexpr std::size_t kRateWidth = 11;
constexpr std::size_t kClassWidth = 5;
constexpr std::size_t kReasonWidth = 12;

std::string left(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width - std::min(width, text.size()), ' ') + "  ";
}

std::string right(std::string_view text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + std::string(text) + "  ";
}

std::string beginning(std::string_view what, UnixMs at) {
  return time_of_day(at, true) + "  " + left(what, kWhatWidth);
}

}  // namespace

std::string key_line(std::string_view what, const KeyData& data, UnixMs at) {
  return beginning(what, at) + right(with_separators(data.rate) + "/s", kRateWidth) +
         left(redis_escape(data.key_class), kClassWidth) + left(redis_escape(data.reason), kReasonWidth) +
         left(redis_escape(data.rule.value_or("-")), kReasonWidth) + shown_key(data.key);
}

std::string invalidated_line(std::string_view key, UnixMs at) {
  const std::string blanks(kRateWidth + kClassWidth + 2 * kReasonWidth + 8, ' ');
  return beginning("invalidated", at) + blanks + shown_key(key);
}

std::string plain_line(std::string_view what, std::string_view text, UnixMs at) {
  return beginning(what, at) + std::string(text);
}

}  // namespace hotkeyd
