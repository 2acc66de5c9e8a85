// Random bits nobody can predict, for seeds and names. Never throws. For edges only.
#pragma once

#include <cstdint>

namespace hotkeyd::sdk {

std::uint64_t roll_dice() noexcept;

}  // namespace hotkeyd::sdk
