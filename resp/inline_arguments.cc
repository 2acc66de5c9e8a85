#include "resp/inline_arguments.h"

#include <cstddef>
#include <optional>

namespace hotkeyd {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r";
constexpr std::string_view kSeparators = " \t\n\r";

bool is_blank(char c) { return kBlanks.find(c) != std::string_view::npos; }
bool is_separator(char c) { return kSeparators.find(c) != std::string_view::npos; }
bool is_quote(char c) { return c == '"' || c == '\''; }

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

char unescape(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'b':
      return '\b';
    case 'a':
      return '\a';
    default:
      return c;
  }
}

// The byte of \xhh at `at`, if it stands there.
std::optional<char> hex_escape(std::string_view line, std::size_t at) {
  if (line.size() - at < 4 || line[at + 1] != 'x') return std::nullopt;
  const int high = hex_digit(line[at + 2]);
  const int low = hex_digit(line[at + 3]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

// Appends what stands between the quote at `at` and its partner; returns the place behind the partner, or
// nullopt.
std::optional<std::size_t> unquote(std::string_view line, std::size_t at, std::string& out) {
  const char quote = line[at++];
  for (; at < line.size(); ++at) {
    if (line[at] == quote) return at + 1;
    if (line[at] != '\\' || at + 1 == line.size()) {
      out += line[at];
    } else if (quote == '\'') {
      if (line[at + 1] == '\'') ++at;
      out += line[at];
    } else if (const auto byte = hex_escape(line, at)) {
      out += *byte;
      at += 3;
    } else {
      out += unescape(line[++at]);
    }
  }
  return std::nullopt;
}

// As above for a whole argument that holds a quote; a quote may begin in the middle of it.
std::optional<std::size_t> unquote_argument(std::string_view line, std::size_t at, std::string& out) {
  while (at < line.size() && !is_separator(line[at])) {
    if (!is_quote(line[at])) {
      out += line[at++];
      continue;
    }
    const auto behind = unquote(line, at, out);
    if (!behind || (*behind < line.size() && !is_blank(line[*behind]))) return std::nullopt;
    return behind;
  }
  return at;
}

}  // namespace

bool split_inline(std::string_view line, std::string& unquoted, std::vector<std::string_view>& arguments) {
  arguments.clear();
  unquoted.clear();
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at == line.size()) return true;
    std::size_t end = at;
    while (end < line.size() && !is_separator(line[end]) && !is_quote(line[end])) ++end;
    if (end == line.size() || !is_quote(line[end])) {
      arguments.push_back(line.substr(at, end - at));
      at = end;
      continue;
    }
    unquoted.reserve(line.size());  // Once: unquoting never lengthens, so the views stay.
    const std::size_t start = unquoted.size();
    const auto behind = unquote_argument(line, at, unquoted);
    if (!behind) return false;
    arguments.push_back(std::string_view(unquoted).substr(start));
    at = *behind;
  }
}

}  // namespace hotkeyd
