#include "sdk/cpp/src/smallest_threshold.h"

#include <nlohmann/json.hpp>

namespace hotkeyd::sdk {

std::optional<std::uint64_t> smallest_threshold(std::string_view json) {
  const auto rules = nlohmann::json::parse(json.begin(), json.end(), nullptr, false);
  if (!rules.is_object()) return std::nullopt;
  const auto found = rules.find("smallest_threshold");
  if (found == rules.end() || !found->is_number_unsigned()) return std::nullopt;
  return found->get<std::uint64_t>();
}

}  // namespace hotkeyd::sdk
