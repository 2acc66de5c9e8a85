// How hotkeyctl writes numbers, times and keys for people, and reads durations and shares from them.
//
// What it prints is printable ASCII whatever the bytes of a key. Pure; standard library only.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hotkeyd {

std::string with_separators(std::uint64_t number);  // 1234567: "1,234,567"
// 1: "1 access", 2000: "2,000 accesses".
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);
std::string in_time(
    std::chrono::milliseconds duration);         // "850 ms", "12 s", "3 m 5 s", "2 h 10 m", "4 d 1 h"
std::string fixed(double number, int decimals);  // 1234.5: "1,234.50"
std::string in_percent(double share);            // 0.314: "31%", below 10 % one decimal: "3.1%"
std::string time_of_day(std::int64_t unix_ms, bool with_ms);  // Local: "15:52:02.113"
std::string date_and_time(std::int64_t unix_ms);              // Local: "2026-11-30 15:52:02"

// Escaped as Redis prints it, cut after `size_max` characters: `aaaa... (65536 bytes)`.
std::string shown_key(std::string_view key, std::size_t size_max = 200);

// Sentences and names that are not keys: what is not printable ASCII becomes \xhh, the rest stays.
std::string printable(std::string_view text);

// "500ms", "10s", "1.5m", "2h", "7d": a number and a unit, at least 1 ms, at most 10,000 days.
std::optional<std::chrono::milliseconds> parse_time_span(std::string_view text);
// "50%" from 0 to 100: 0.5.
std::optional<double> parse_share(std::string_view text);

}  // namespace hotkeyd
