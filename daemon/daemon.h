// The daemon: two threads around the pure core, from the first bind to the last flush.
//
// The stop is a protocol: a signal -> the RESP server drains (nobody new, what was read is answered, last
// tick, last events) -> the state file is written -> the publishers flush -> HTTP closes -> exit 0. What was
// acknowledged is counted, and its events are told, before anything closes. Past the drain deadline: log,
// exit 70.
//
// The process's first thread is control, so that the process keeps its name; the other is `hotkeyd-data`.
#pragma once

#include <functional>

#include "daemon/load_config.h"

namespace hotkeyd {

// Runs with a configuration that was loaded until a signal ends it; returns the exit code. `load` reads the
// configuration again: SIGHUP and HOTKEY RELOAD.
int run_daemon(const LoadedConfig& loaded, std::function<LoadedConfig()> load);

}  // namespace hotkeyd
