// The variables of the process's environment. Any thread, while none changes them.
#pragma once

#include <map>
#include <string>

namespace hotkeyd {

std::map<std::string, std::string> read_environment();

}  // namespace hotkeyd
