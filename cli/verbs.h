// What hotkeyctl can do, a function each: it prints, and returns what the program exits with.
#pragma once

#include "cli/command_line.h"

namespace hotkeyd {

int run_top(const CtlCommandLine& line);
int run_list(const CtlCommandLine& line);
int run_watch(const CtlCommandLine& line);
int run_explain(const CtlCommandLine& line);
int run_episodes(const CtlCommandLine& line);
int run_order(const CtlCommandLine& line);  // pin, unpin, deny, allow, disable, enable
int run_invalidate(const CtlCommandLine& line);
int run_reload(const CtlCommandLine& line);
int run_log_level(const CtlCommandLine& line);
int run_status(const CtlCommandLine& line);
int run_analyze(const CtlCommandLine& line);
int run_load(const CtlCommandLine& line);
int run_load_worker(const CtlCommandLine& line);

int run_verb(const CtlCommandLine& line);

}  // namespace hotkeyd
