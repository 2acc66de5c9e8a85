// reload, log-level: what concerns the daemon as a whole.
#include <iostream>
#include <string_view>

#include "cli/ctl_session.h"
#include "cli/verbs.h"

namespace hotkeyd {
namespace {

int give(const CtlCommandLine& line, std::initializer_list<std::string_view> command, std::string_view done) {
  CtlSession session(line.daemon);
  if (!session.ask(command)) return session.exit_code();
  std::cout << (line.json ? "{\"ok\":true}" : done) << "\n";
  return ctl_exit_done;
}

}  // namespace

int run_reload(const CtlCommandLine& line) {
  return give(line, {"HOTKEY", "RELOAD"}, "reloaded; what needs a restart is in the daemon's log");
}

int run_log_level(const CtlCommandLine& line) {
  return give(line, {"HOTKEY", "LOGLEVEL", line.level}, "log level " + line.level + " until the next reload");
}

}  // namespace hotkeyd
