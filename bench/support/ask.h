// One command to a daemon or a Redis, waiting for its reply: for set-up and for reading counters.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "resp/reply_parser.h"

namespace hotkeyd {

// Ends the program when nobody answers.
RespValue ask(const std::string& address, std::initializer_list<std::string_view> command);

// The counters of HOTKEY STATS whose name begins with `prefix`, summed over their labels.
std::uint64_t counter(const std::string& address, std::string_view prefix);

}  // namespace hotkeyd
