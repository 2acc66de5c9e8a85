#include "config/values.h"

#include <algorithm>

namespace hotkeyd {

Result<bool> parse_bool(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  return Error{"must be true or false"};
}

Result<std::string> parse_name(std::string_view text) {
  if (is_valid_name(text)) return std::string(text);
  return Error{"must be 1 to 128 of the characters A-Z a-z 0-9 _ . -"};
}

Result<std::string> parse_label(std::string_view text) {
  const bool is_printable = std::none_of(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (!text.empty() && text.size() <= 128 && is_printable) return std::string(text);
  return Error{"must be 1 to 128 bytes without control characters"};
}

}  // namespace hotkeyd
