// Globs as Redis matches them: * ? [abc] [a-c] [^x] and \ to take the next character literally.
//
// Matched iteratively over bytes with a single point of return, so the cost is at most |glob| x |text|
// (a recursive matcher needs 30 s for 800 bytes of "*a*a*a*b"). Pure; standard library only.
#pragma once

#include <string_view>

namespace hotkeyd {

bool glob_matches(std::string_view glob, std::string_view text);

}  // namespace hotkeyd
