#include "base/text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <ctime>

namespace hotkeyd {
namespace {

constexpr char kHex[] = "0123456789abcdef";
constexpr char kBase64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

unsigned char byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

void append_hex(std::string& out, std::string_view prefix, unsigned char byte) {
  out += prefix;
  out += kHex[byte >> 4];
  out += kHex[byte & 15];
}

// A byte as Redis prints it: itself or its escape.
struct Escape {
  std::array<char, 4> text{};
  std::uint8_t size = 0;

  std::string_view view() const { return {text.data(), size}; }
};

constexpr Escape make_escape(unsigned char byte) {
  constexpr std::string_view kNamed = "\"\\\n\r\t\a\b";
  constexpr std::string_view kLetters = "\"\\nrtab";
  const char c = static_cast<char>(byte);
  if (const std::size_t at = kNamed.find(c); at != std::string_view::npos) return {{'\\', kLetters[at]}, 2};
  if (byte >= 0x20 && byte <= 0x7e) return {{c}, 1};
  return {{'\\', 'x', kHex[byte >> 4], kHex[byte & 15]}, 4};
}

constexpr auto kEscapes = [] {
  std::array<Escape, 256> escapes{};
  for (std::size_t byte = 0; byte < escapes.size(); ++byte)
    escapes[byte] = make_escape(static_cast<unsigned char>(byte));
  return escapes;
}();

// Bytes that stand for themselves in a JSON string. 0xc2 may begin U+0080-009F.
constexpr auto kPlainInJson = [] {
  std::array<bool, 256> plain{};
  for (std::size_t byte = 0x20; byte < plain.size(); ++byte) {
    plain[byte] = byte != '"' && byte != '\\' && byte != 0x7f && byte != 0xc2;
  }
  return plain;
}();

// Whether eight bytes below 0x80 begin at `at`.
bool is_ascii_word(std::string_view text, std::size_t at) {
  std::uint64_t word = 0;
  if (at + sizeof word > text.size()) return false;
  std::memcpy(&word, text.data() + at, sizeof word);
  return (word & 0x8080808080808080ULL) == 0;
}

// The length of the valid UTF-8 sequence at `at`, or 0. Table 3-7 of the Unicode standard.
std::size_t utf8_sequence(std::string_view text, std::size_t at) {
  const auto first = byte_at(text, at);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + size > text.size()) return 0;
  const unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (byte_at(text, at + 1) < low || byte_at(text, at + 1) > high) return 0;
  for (std::size_t i = 2; i < size; ++i) {
    if ((byte_at(text, at + i) & 0xc0) != 0x80) return 0;
  }
  return size;
}

int base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '-';
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

}  // namespace

std::string redis_escape(std::string_view bytes, std::size_t size_max) {
  std::string out;
  out.reserve(std::min(bytes.size(), size_max));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const std::string_view escape = kEscapes[byte_at(bytes, at)].view();
    if (escape.size() > size_max - out.size()) break;
    out += escape;
  }
  return out;
}

bool is_valid_utf8(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    if (is_ascii_word(bytes, at)) {
      at += 8;
      continue;
    }
    const std::size_t size = utf8_sequence(bytes, at);
    if (size == 0) return false;
    at += size;
  }
  return true;
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t begin = at;
    while (at < text.size() && kPlainInJson[byte_at(text, at)]) ++at;
    out += text.substr(begin, at - begin);
    if (at == text.size()) break;
    const auto byte = byte_at(text, at);
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += text[at];
    } else if (byte != 0xc2) {
      append_hex(out, "\\u00", byte);
    } else if (at + 1 < text.size() && byte_at(text, at + 1) < 0xa0) {
      append_hex(out, "\\u00", byte_at(text, ++at));  // U+0080-009F are two bytes: c2 80 to c2 9f.
    } else {
      out += text[at];
    }
  }
  out += '"';
}

std::string base64_encode(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) group = group << 8 | (i < have ? byte_at(bytes, at + i) : 0U);
    for (std::size_t i = 0; i < 4; ++i) out += i <= have ? kBase64[group >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

std::optional<std::string> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string out;
  std::uint32_t group = 0;
  std::size_t padding = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool pads = text[at] == '=' && at + 2 >= text.size();
    const int value = pads ? 0 : base64_value(text[at]);
    if (value < 0 || (padding > 0 && !pads)) return std::nullopt;
    padding += pads ? 1 : 0;
    group = group << 6 | static_cast<std::uint32_t>(value);
    if (at % 4 == 3) {
      for (int shift = 16; shift >= 0; shift -= 8) out += static_cast<char>(group >> shift & 255);
      group = 0;
    }
  }
  out.resize(out.size() - padding);
  return out;
}

std::optional<std::uint64_t> parse_unsigned(std::string_view digits) {
  constexpr std::uint64_t kMax = (1ULL << 63) - 1;
  if (digits.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (kMax - digit) / 10) return std::nullopt;
    value = value * 10 + digit;
  }
  return value;
}

bool is_valid_name(std::string_view name) {
  return !name.empty() && name.size() <= 128 && std::all_of(name.begin(), name.end(), is_name_char);
}

bool is_valid_producer(std::string_view name) {
  const auto allowed = [](char c) { return is_name_char(c) || c == ':' || c == '/'; };
  return !name.empty() && name.size() <= 128 && std::all_of(name.begin(), name.end(), allowed);
}

bool equals_ignore_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string to_lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

std::string rfc3339(std::int64_t unix_ms) {
  const std::int64_t fraction_ms = (unix_ms % 1000 + 1000) % 1000;  // Also before 1970.
  const std::time_t seconds = (unix_ms - fraction_ms) / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 40> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::array<char, 8> fraction{};
  std::snprintf(fraction.data(), fraction.size(), ".%03dZ", static_cast<int>(fraction_ms));
  return std::string(text.data(), size) + fraction.data();
}

}  // namespace hotkeyd
