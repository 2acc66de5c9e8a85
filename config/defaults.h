// What applies where a configuration is silent, as far as it depends on the machine. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/config.h"

namespace hotkeyd {

// The host name as a valid name of a node: other characters become '-', an empty one "localhost".
std::string default_node(std::string_view hostname);

// hotkeyd.sock in $RUNTIME_DIRECTORY (its first folder), else $XDG_RUNTIME_DIR, else /run/hotkeyd. A folder
// that is not absolute, or too long for the path of a socket, is passed over.
std::string default_socket(const HostFacts& host);

// `state` in $STATE_DIRECTORY (its first folder); nullopt where that is not set or not absolute.
std::optional<std::string> default_state(const HostFacts& host);

}  // namespace hotkeyd
