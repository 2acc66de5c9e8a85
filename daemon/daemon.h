// The daemon: two threads around the pure core, from the first bind to the last flush.
//
// The stop is a protocol: a signal -> the RESP server drains (nobody new, what was read is answered, last
// tick, last events) -> the publishers flush -> HTTP closes -> exit 0. Past the drain deadline: log, exit 70.
#pragma once

#include <string>

#include "config/config.h"

namespace hotkeyd {

// Runs until a signal ends it and returns the exit code. `origin` says where the configuration came from.
int run_daemon(const Config& config, const std::string& origin);

}  // namespace hotkeyd
