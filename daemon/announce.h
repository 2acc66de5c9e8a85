// The first lines of the log: what the daemon listens on, where events go, and what it does not do.
#pragma once

#include <string>
#include <vector>

#include "config/config.h"

namespace hotkeyd {

// `addresses`: as they were bound, a port 0 shown as the one it became.
void announce(const Config& config, const std::string& origin, const std::vector<std::string>& addresses);

}  // namespace hotkeyd
