// What hotkeyctl can do, a function each: it prints, and returns what the program exits with.
#pragma once

#include "cli/command_line.h"

namespace hotkeyd {

int run_list(const CommandLine& line);
int run_watch(const CommandLine& line);
int run_explain(const CommandLine& line);
int run_episodes(const CommandLine& line);
int run_order(const CommandLine& line);  // pin, unpin, deny, allow, disable, enable
int run_invalidate(const CommandLine& line);
int run_status(const CommandLine& line);
int run_load(const CommandLine& line);
int run_load_worker(const CommandLine& line);

int run_verb(const CommandLine& line);

}  // namespace hotkeyd
