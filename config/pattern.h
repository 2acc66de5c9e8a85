// Whether a rule's pattern can match a key at all. Pure.
#pragma once

#include <string_view>

#include "base/result.h"
#include "detector/options.h"

namespace hotkeyd {

// Empty patterns, patterns over 4 KiB, and regular expressions that RE2 refuses are errors.
Result<void> check_pattern(MatchKind kind, std::string_view pattern);

}  // namespace hotkeyd
