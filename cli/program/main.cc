#include "cli/command_line.h"
#include "cli/verbs.h"

int main(int argc, char** argv) {
  const auto outcome = hotkeyd::parse_ctl_command_line(argc, argv);
  return outcome.command_line ? hotkeyd::run_verb(*outcome.command_line) : outcome.exit_code;
}
