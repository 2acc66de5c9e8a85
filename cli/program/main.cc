#include <iostream>

#include "cli/command_line.h"
#include "cli/exit_code.h"
#include "cli/verbs.h"

namespace {

// What could not be written was not said: a full disk must not look like success.
int checked(int code) {
  if (code != hotkeyd::ctl_exit_done || std::cout.flush()) return code;
  std::cerr << "hotkeyctl: standard output cannot be written\n";
  return hotkeyd::ctl_exit_refused;
}

}  // namespace

int main(int argc, char** argv) {
  const auto outcome = hotkeyd::parse_ctl_command_line(argc, argv);
  return checked(outcome.command_line ? hotkeyd::run_verb(*outcome.command_line) : outcome.exit_code);
}
