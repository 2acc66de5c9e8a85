// Unix seconds with an optional fraction ("1796052153.073128") as microseconds.
//
// Digits after the sixth are dropped. nullopt: no digits, another byte, a sign, or seconds beyond 10^11 (the
// year 5138). Pure.
#pragma once

#include <optional>
#include <string_view>

#include "base/clock.h"

namespace hotkeyd {

std::optional<UnixUs> read_unix_time(std::string_view text);

}  // namespace hotkeyd
