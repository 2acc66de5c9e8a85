// Environment variables inside scalars: ${NAME} (unset: an error), ${NAME:-default}, ${NAME:?message}; a
// variable that is set but empty counts as unset for the last two. `$${` stands for `${` itself.
//
// Expansion happens after YAML is parsed and is not repeated, so that no value can add keys, quotes or
// further variables. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hotkeyd {

// At most 64 KiB, valid UTF-8. Errors name the variable, never a value.
Result<std::string> expand_variables(std::string_view text,
                                     const std::map<std::string, std::string>& environment);

// The text that expands to `text`.
std::string escape_variables(std::string_view text);

}  // namespace hotkeyd
