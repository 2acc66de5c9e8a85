// Where the daemon is when nobody says: /run/hotkeyd/hotkeyd.sock where that exists, else
// $XDG_RUNTIME_DIR/hotkeyd.sock where that exists, else the first.
#pragma once

#include <string>

namespace hotkeyd {

std::string default_endpoint_url();

}  // namespace hotkeyd
