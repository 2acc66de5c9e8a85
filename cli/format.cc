#include "cli/format.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <system_error>

#include "base/text.h"

namespace hotkeyd {
namespace {

using std::chrono::milliseconds;

constexpr double kLongestMs = 10'000.0 * 24 * 3600 * 1000;

std::tm local_time(std::int64_t unix_ms) {
  const std::time_t seconds = unix_ms / 1000;
  std::tm parts{};
  localtime_r(&seconds, &parts);
  return parts;
}

std::string clock_time(const std::tm& parts) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%02d:%02d:%02d", parts.tm_hour, parts.tm_min, parts.tm_sec);
  return text.data();
}

// "3 m 5 s": whole units of the larger kind, the rest in the smaller one unless there is none.
std::string in_two_units(std::int64_t amount, std::int64_t ratio, std::string_view large,
                         std::string_view small) {
  std::string text = std::to_string(amount / ratio) + " ";
  text += large;
  if (amount % ratio == 0) return text;
  return text + " " + std::to_string(amount % ratio) + " " + std::string(small);
}

double unit_ms(std::string_view unit) {
  if (unit == "ms") return 1;
  if (unit == "s") return 1000;
  if (unit == "m" || unit == "min") return 60'000;
  if (unit == "h") return 3'600'000;
  return unit == "d" ? 86'400'000 : 0;
}

// The number at the front of the text, and what stands behind it; no signs, exponents or names.
std::optional<double> take_number(std::string_view text, std::string_view& rest) {
  const std::size_t size = text.find_first_not_of("0123456789.");
  const std::string_view digits = text.substr(0, size);
  double number = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (failure != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  rest = text.substr(digits.size());
  return number;
}

}  // namespace

std::string with_separators(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
  return with_separators(number) + " " + std::string(number == 1 ? one : many);
}

std::string in_time(milliseconds duration) {
  const std::int64_t ms = duration.count();
  if (ms < 1000) return std::to_string(ms) + " ms";
  const std::int64_t seconds = ms / 1000;
  if (seconds < 60) return std::to_string(seconds) + " s";
  if (seconds < 3600) return in_two_units(seconds, 60, "m", "s");
  if (seconds < 24 * 3600) return in_two_units(seconds / 60, 60, "h", "m");
  return in_two_units(seconds / 3600, 24, "d", "h");
}

std::string fixed(double number, int decimals) {
  std::array<char, 400> text{};
  const int size = std::snprintf(text.data(), text.size(), "%.*f", decimals, std::fabs(number));
  std::string_view digits(text.data(), static_cast<std::size_t>(size));
  const std::size_t point = digits.find('.');
  std::string whole(digits.substr(0, point));
  for (std::size_t at = whole.size(); at > 3;) whole.insert(at -= 3, ",");
  if (point != std::string_view::npos) whole += digits.substr(point);
  return number < 0 ? "-" + whole : whole;
}

std::string in_percent(double share) { return fixed(share * 100, share < 0.0995 && share > 0 ? 1 : 0) + "%"; }

std::string time_of_day(std::int64_t unix_ms, bool with_ms) {
  std::string text = clock_time(local_time(unix_ms));
  if (!with_ms) return text;
  std::array<char, 16> fraction{};
  std::snprintf(fraction.data(), fraction.size(), ".%03d", static_cast<int>(unix_ms % 1000));
  return text + fraction.data();
}

std::string date_and_time(std::int64_t unix_ms) {
  const std::tm parts = local_time(unix_ms);
  std::array<char, 64> date{};
  std::snprintf(date.data(), date.size(), "%04d-%02d-%02d ", parts.tm_year + 1900, parts.tm_mon + 1,
                parts.tm_mday);
  return date.data() + clock_time(parts);
}

std::string shown_key(std::string_view key, std::size_t size_max) {
  // An escape has at most 4 characters: what had to be cut there is longer than size_max.
  std::string text = redis_escape(key, size_max + 4);
  if (text.size() <= size_max) return text;
  return redis_escape(key, size_max) + "... (" + std::to_string(key.size()) + " bytes)";
}

std::string printable(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c == '"' || c == '\\' ? std::string(1, c) : redis_escape(std::string_view(&c, 1));
  return out;
}

std::optional<milliseconds> parse_time_span(std::string_view text) {
  std::string_view unit;
  const auto number = take_number(text, unit);
  const double ms = number ? std::round(*number * unit_ms(unit)) : 0;
  if (ms < 1 || ms > kLongestMs) return std::nullopt;
  return milliseconds(static_cast<std::int64_t>(ms));
}

std::optional<double> parse_share(std::string_view text) {
  std::string_view unit;
  const auto number = take_number(text, unit);
  if (!number || unit != "%" || *number > 100) return std::nullopt;
  return *number / 100;
}

}  // namespace hotkeyd
