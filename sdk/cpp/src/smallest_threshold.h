// Reads `smallest_threshold` from the JSON of HOTKEY RULES; nullopt where it is not there. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hotkeyd::sdk {

std::optional<std::uint64_t> smallest_threshold(std::string_view json);

}  // namespace hotkeyd::sdk
