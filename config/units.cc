#include "config/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <span>

#include "base/text.h"

namespace hotkeyd {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array kDurations{Unit{"ms", 1}, Unit{"s", 1000}, Unit{"min", 60'000}, Unit{"h", 3'600'000}};
constexpr std::array kSizes{Unit{"B", 1}, Unit{"KiB", 1 << 10}, Unit{"MiB", 1 << 20}, Unit{"GiB", 1 << 30}};
constexpr std::array kRates{Unit{"/s", 1}, Unit{"/min", 60}};
constexpr std::array kFractions{Unit{"%", 100}};

struct Quantity {
  double number;
  double factor;
};

// Digits with an optional decimal point, then one of the units; anything else is `expected`.
Result<Quantity> parse_quantity(std::string_view text, std::span<const Unit> units, const char* expected) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  double number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + end, number, std::chars_format::fixed);
  const bool is_number =
      end > 0 && text[0] != '.' && parsed.ec == std::errc{} && parsed.ptr == text.data() + end;
  if (is_number && end == text.size()) return Error{std::string("a unit is missing: write ") + expected};
  for (const Unit& unit : units) {
    if (is_number && text.substr(end) == unit.name) return Quantity{number, unit.factor};
  }
  return Error{std::string("must be written as ") + expected};
}

// The shortest digits, never with an exponent, that read back as the same number.
std::string decimal(double number) {
  std::array<char, 512> digits{};
  const auto written =
      std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::fixed);
  return {digits.data(), written.ptr};
}

bool is_whole(double value, double value_max) { return value <= value_max && std::floor(value) == value; }

}  // namespace

Result<Duration> parse_duration(std::string_view text) {
  const auto quantity = parse_quantity(text, kDurations, "500ms, 1s, 5min or 1h");
  if (!quantity) return Error{quantity.error()};
  const double ms = quantity->number * quantity->factor;
  if (!is_whole(ms, 365.0 * 86'400'000)) return Error{"must be whole milliseconds, at most a year"};
  return Duration{std::chrono::milliseconds{static_cast<std::int64_t>(ms)}};
}

Result<std::uint64_t> parse_size(std::string_view text) {
  const auto quantity = parse_quantity(text, kSizes, "64KiB, 16MiB or 1GiB");
  if (!quantity) return Error{quantity.error()};
  const double bytes = quantity->number * quantity->factor;
  if (!is_whole(bytes, 1024.0 * (1 << 30))) return Error{"must be whole bytes, at most 1024GiB"};
  return static_cast<std::uint64_t>(bytes);
}

Result<double> parse_rate(std::string_view text) {
  const auto quantity = parse_quantity(text, kRates, "1000/s or 60000/min");
  if (!quantity) return Error{quantity.error()};
  const double rate = quantity->number / quantity->factor;
  if (!(rate > 0 && rate <= 1e12)) return Error{"must be above 0/s and at most 10^12/s"};
  return rate;
}

Result<double> parse_fraction(std::string_view text) {
  const auto quantity = parse_quantity(text, kFractions, "10%");
  if (!quantity) return Error{quantity.error()};
  if (!(quantity->number > 0 && quantity->number <= 100)) return Error{"must be above 0% and at most 100%"};
  return quantity->number / quantity->factor;
}

Result<std::uint64_t> parse_count(std::string_view text) {
  const auto number = parse_unsigned(text);
  if (!number) return Error{"must be a whole number"};
  return *number;
}

std::string write_duration(Duration duration) {
  const std::int64_t ms = to_ms(duration);
  return ms % 1000 == 0 ? fmt::format("{}s", ms / 1000) : fmt::format("{}ms", ms);
}

std::string write_size(std::uint64_t bytes) {
  if (bytes == 0) return "0B";
  if (bytes % (1 << 30) == 0) return fmt::format("{}GiB", bytes >> 30);
  if (bytes % (1 << 20) == 0) return fmt::format("{}MiB", bytes >> 20);
  if (bytes % (1 << 10) == 0) return fmt::format("{}KiB", bytes >> 10);
  return fmt::format("{}B", bytes);
}

std::string write_rate(double per_second) {
  const double per_minute = std::round(per_second * 60);
  const bool is_by_minute = std::floor(per_second) != per_second && per_minute / 60 == per_second;
  return is_by_minute ? fmt::format("{:.0f}/min", per_minute) : fmt::format("{}/s", decimal(per_second));
}

std::string write_fraction(double fraction) {
  const double rounded = std::round(fraction * 1e8) / 1e6;
  return fmt::format("{}%", decimal(rounded / 100 == fraction ? rounded : fraction * 100));
}

}  // namespace hotkeyd
