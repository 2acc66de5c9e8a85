// The command line of hotkeyd.
#pragma once

#include <optional>
#include <string>

namespace hotkeyd {

enum class Action { run, check_config, print_config };

struct CommandLine {
  Action action = Action::run;
  std::optional<std::string>
      config_path;  // nullopt: /etc/hotkeyd/hotkeyd.yaml where it exists, else the embedded default.
};

// Either what to do, or the exit code of a program that is done already (--help, --version, wrong usage).
struct CommandLineOutcome {
  std::optional<CommandLine> command_line;
  int exit_code = 0;
};

// Prints help, version and errors.
CommandLineOutcome parse_command_line(int argc, const char* const* argv);

}  // namespace hotkeyd
