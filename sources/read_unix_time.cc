#include "sources/read_unix_time.h"

namespace hotkeyd {
namespace {

constexpr UnixUs kSecondsMax = 100'000'000'000;
constexpr UnixUs kUsPerSecond = 1'000'000;

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

// Microseconds in the digits behind the point.
std::optional<UnixUs> read_fraction(std::string_view digits) {
  UnixUs fraction = 0;
  UnixUs unit = kUsPerSecond / 10;
  for (const char byte : digits) {
    if (!is_digit(byte)) return std::nullopt;
    fraction += (byte - '0') * unit;
    unit /= 10;
  }
  return fraction;
}

}  // namespace

std::optional<UnixUs> read_unix_time(std::string_view text) {
  UnixUs seconds = 0;
  std::size_t i = 0;
  for (; i < text.size() && is_digit(text[i]); ++i) {
    seconds = seconds * 10 + (text[i] - '0');
    if (seconds > kSecondsMax) return std::nullopt;
  }
  if (i == 0) return std::nullopt;
  if (i == text.size()) return seconds * kUsPerSecond;
  if (text[i] != '.' || i + 1 == text.size()) return std::nullopt;
  const auto fraction = read_fraction(text.substr(i + 1));
  if (!fraction) return std::nullopt;
  return seconds * kUsPerSecond + *fraction;
}

}  // namespace hotkeyd
