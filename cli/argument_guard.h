// Keeps CLI11 from interpreting arguments that are keys: it takes "[a,b]" for a list and "{}" for an empty
// one.
//
// An argument that begins with such a character goes through CLI11 behind a guard, taken off again from each
// key. Pure; standard library only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hotkeyd {

// In the order CLI11 takes vectors: reversed, without the program's name.
std::vector<std::string> guarded_arguments(int argc, const char* const* argv);
std::string unguard_argument(std::string_view argument);

}  // namespace hotkeyd
