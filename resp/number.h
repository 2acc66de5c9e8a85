// Integers as Redis reads them in lengths (string2ll): decimal digits with at most a '-' before them, no '+',
// no leading zeros, no "-0", nothing beyond 64 bits. Pure; standard library only.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hotkeyd {

std::optional<std::int64_t> parse_resp_integer(std::string_view text);

}  // namespace hotkeyd
