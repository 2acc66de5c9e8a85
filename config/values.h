// Parsers of scalars beyond units: choices, ranges, names. Each is a function from text to Result, for
// MapReader::read. Pure.
#pragma once

#include <array>
#include <concepts>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "base/text.h"
#include "config/suggest.h"
#include "config/units.h"

namespace hotkeyd {

// A choice between words: choice<LogFormat, 2>({{{"logfmt", LogFormat::logfmt}, ...}}).
template <typename T, std::size_t N>
auto choice(const std::array<std::pair<std::string_view, T>, N>& words) {
  return [words](std::string_view text) -> Result<T> {
    std::array<std::string_view, N> names;
    std::string expected;
    for (std::size_t i = 0; i < N; ++i) {
      if (words[i].first == text) return words[i].second;
      names[i] = words[i].first;
      expected += (i == 0 ? "" : i + 1 == N ? " or " : ", ") + std::string(names[i]);
    }
    const auto nearest = nearest_word(text, names);
    return Error{"must be " + expected + (nearest ? " (did you mean " + std::string(*nearest) + "?)" : "")};
  };
}

// A whole number from `min` to `max`.
template <std::unsigned_integral T>
auto whole(T min, T max) {
  return [min, max](std::string_view text) -> Result<T> {
    const auto number = parse_count(text);
    if (number && *number >= min && *number <= max) return static_cast<T>(*number);
    return Error{"must be a whole number from " + std::to_string(min) + " to " + std::to_string(max)};
  };
}

inline auto duration_between(Duration min, Duration max) {
  return [min, max](std::string_view text) -> Result<Duration> {
    auto duration = parse_duration(text);
    if (!duration || (*duration >= min && *duration <= max)) return duration;
    return Error{"must be from " + write_duration(min) + " to " + write_duration(max)};
  };
}

inline auto size_between(std::uint64_t min, std::uint64_t max) {
  return [min, max](std::string_view text) -> Result<std::uint64_t> {
    auto size = parse_size(text);
    if (!size || (*size >= min && *size <= max)) return size;
    return Error{"must be from " + write_size(min) + " to " + write_size(max)};
  };
}

Result<bool> parse_bool(std::string_view text);         // true or false.
Result<std::string> parse_name(std::string_view text);  // A node or namespace.
Result<std::string> parse_label(
    std::string_view text);  // A rule or publisher: 1 to 128 printable characters.

}  // namespace hotkeyd
