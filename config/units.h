// Values with their unit: durations, sizes, rates, percentages. A bare number where a unit belongs is an
// error, since nobody can tell 5 from 5 ms. Pure.
//
// Each write_* gives the shortest exact text that its parse_* reads back as the same value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace hotkeyd {

Result<Duration> parse_duration(
    std::string_view text);  // 500ms 1s 5min 1h; whole milliseconds, up to a year.
Result<std::uint64_t> parse_size(std::string_view text);  // 512B 64KiB 16MiB 1GiB; whole bytes, up to 1 TiB.
Result<double> parse_rate(std::string_view text);      // 1000/s 60000/min; per second, above 0, up to 10^12.
Result<double> parse_fraction(std::string_view text);  // 10% is 0.1; above 0%, at most 100%.
Result<std::uint64_t> parse_count(std::string_view text);  // 1000: digits only.

std::string write_duration(Duration duration);
std::string write_size(std::uint64_t bytes);
std::string write_rate(double per_second);
std::string write_fraction(double fraction);

}  // namespace hotkeyd
