// Text that came from outside, made safe for people and parsers. Standard library only: the SDK uses it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hotkeyd {

// The bytes as Redis prints a string, without the quotes around it: \" \\ \n \r \t \a \b, every other byte
// outside 0x20-0x7e as \xhh. With `size_max` the result is cut there, at a whole escape.
std::string redis_escape(std::string_view bytes, std::size_t size_max = std::string::npos);

// Whether the bytes are valid UTF-8 (RFC 3629: no surrogates, no overlong forms, at most U+10FFFF).
bool is_valid_utf8(std::string_view bytes);

// Appends the valid UTF-8 text as a JSON string with its quotes; U+0000-001F and U+007F-009F become \u00hh.
void append_json_string(std::string& out, std::string_view text);

std::string base64_encode(std::string_view bytes);
std::optional<std::string> base64_decode(std::string_view text);  // Padded, standard alphabet; else nullopt.

// An unsigned decimal below 2^63: digits only, at least one. Leading zeros are taken.
std::optional<std::uint64_t> parse_unsigned(std::string_view digits);

// [A-Za-z0-9_.-]{1,128}: namespaces and nodes. Producers may also hold ':' and '/'.
bool is_valid_name(std::string_view name);
bool is_valid_producer(std::string_view name);

// ASCII case-insensitive equality, for command names.
bool equals_ignore_case(std::string_view a, std::string_view b);
std::string to_lower(std::string_view text);

// "2026-11-30T15:52:02.113Z"
std::string rfc3339(std::int64_t unix_ms);

}  // namespace hotkeyd
