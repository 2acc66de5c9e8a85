// The daemon: two threads around the pure core, from the first bind to the last flush.
//
// Start: the configuration is checked, everything built, every address bound; then the service manager is
// told. Reload: daemon/reloader.h. Stop: daemon/stop_protocol.h, then HTTP closes; exit 0, or 70 past the
// deadline.
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
