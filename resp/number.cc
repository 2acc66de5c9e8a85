#include "resp/number.h"

#include <charconv>
#include <system_error>

namespace hotkeyd {

std::optional<std::int64_t> parse_resp_integer(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  const bool is_zero = digits == "0";
  if (digits.empty() || (digits.front() == '0' && !(is_zero && digits.size() == text.size())))
    return std::nullopt;
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace hotkeyd
