#include "config/expand.h"

#include <algorithm>
#include <cstddef>

#include "base/text.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kExpandedMax = 64 << 10;

using Environment = std::map<std::string, std::string>;

bool is_variable_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (name.empty() || is_digit(name[0])) return false;
  return std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

Result<std::string> absent(const std::string& name, std::string_view operation) {
  if (operation.starts_with(":-")) return std::string(operation.substr(2));
  if (operation.size() > 2) return Error{std::string(operation.substr(2))};
  return Error{"the environment variable " + name + " is not set"};
}

// `body` stands between the braces.
Result<std::string> value_of(std::string_view body, const Environment& environment) {
  const std::size_t colon = body.find(':');
  const std::string name(body.substr(0, colon));
  const std::string_view operation = colon == std::string_view::npos ? "" : body.substr(colon);
  const bool is_known = operation.empty() || operation.starts_with(":-") || operation.starts_with(":?");
  if (!is_variable_name(name) || !is_known) {
    return Error{"a variable is written ${NAME}, ${NAME:-default} or ${NAME:?message}"};
  }
  const auto found = environment.find(name);
  const bool is_set = found != environment.end() && (operation.empty() || !found->second.empty());
  if (!is_set) return absent(name, operation);
  if (!is_valid_utf8(found->second)) return Error{"the environment variable " + name + " is not valid UTF-8"};
  return found->second;
}

}  // namespace

Result<std::string> expand_variables(std::string_view text, const Environment& environment) {
  std::string out;
  while (true) {
    const std::size_t begin = text.find("${");
    out += text.substr(0, begin);
    if (out.size() > kExpandedMax) return Error{"the value is longer than 64 KiB"};
    if (begin == std::string_view::npos) return out;
    text.remove_prefix(begin + 2);
    if (begin > 0 && out.back() == '$') {
      out += '{';
      continue;
    }
    const std::size_t end = text.find('}');
    if (end == std::string_view::npos)
      return Error{"${ without } (write $${ for the two characters themselves)"};
    auto value = value_of(text.substr(0, end), environment);
    if (!value) return value;
    out += *value;
    text.remove_prefix(end + 1);
  }
}

std::string escape_variables(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at).starts_with("${")) out += '$';
    out += text[at];
  }
  return out;
}

}  // namespace hotkeyd
