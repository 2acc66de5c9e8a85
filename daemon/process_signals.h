// SIGTERM, SIGINT and SIGHUP while no daemon listens to them: at the start and at the end of the process.
//
// StopSignals and the reload take their signals over when they are made, without a moment between; when they
// go, the system's default would end the process with another exit code. So it does in the milliseconds
// before main, while libraries are loaded. First thread.
#pragma once

namespace hotkeyd {

// First in main. A stop ends the process with 0 at once: nothing was acknowledged yet. A hang-up changes
// nothing: the configuration is still to be read.
void begin_with_signals();
// For what is no daemon (--check-config): a signal ends it as it ends any program.
void default_signals();
// Everything is handed over: what still comes changes nothing.
void hold_signals_back();

}  // namespace hotkeyd
