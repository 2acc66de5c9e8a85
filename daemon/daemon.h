// The daemon: two threads around the pure core, from the first bind to the last flush.
//
// The stop is a protocol: a signal -> the RESP server drains (nobody new, what was read is answered, last
// tick, last events) -> the publishers flush -> HTTP closes -> exit 0. What was acknowledged is counted, and
// its events are told, before anything closes. Past the drain deadline: log, exit 70.
//
// The process's first thread is control, so that the process keeps its name; the other is `hotkeyd-data`.
#pragma once

#include <string>

#include "config/config.h"

namespace hotkeyd {

// Runs until a signal ends it and returns the exit code. `origin` says where the configuration came from.
int run_daemon(const Config& config, const std::string& origin);

}  // namespace hotkeyd
