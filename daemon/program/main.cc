// hotkeyd: the whole program on one screen.
#include <csignal>
#include <exception>
#include <iostream>

#include "base/log.h"
#include "daemon/command_line.h"
#include "daemon/daemon.h"
#include "daemon/exit_code.h"
#include "daemon/load_config.h"
#include "daemon/process_signals.h"

namespace {

int complain(const std::vector<std::string>& errors) {
  for (const std::string& error : errors) std::cerr << error << '\n';
  return hotkeyd::exit_config;
}

int run(int argc, char** argv) {
  const auto parsed = hotkeyd::parse_command_line(argc, argv);
  if (!parsed.command_line) return parsed.exit_code;
  if (parsed.command_line->action != hotkeyd::Action::run) hotkeyd::default_signals();
  const auto loaded = hotkeyd::load_config(parsed.command_line->config_path);
  if (!loaded.outcome.config) return complain(loaded.outcome.errors);
  switch (parsed.command_line->action) {
    case hotkeyd::Action::check_config:
      std::cout << loaded.origin << ": ok\n";
      return hotkeyd::exit_done;
    case hotkeyd::Action::print_config:
      std::cout << hotkeyd::print_config(*loaded.outcome.config);
      return hotkeyd::exit_done;
    case hotkeyd::Action::run:
      break;
  }
  std::signal(SIGPIPE, SIG_IGN);  // A peer that goes away is an error of a write, not the end.
  return hotkeyd::run_daemon(
      loaded, [path = parsed.command_line->config_path] { return hotkeyd::reload_config(path); });
}

}  // namespace

int main(int argc, char** argv) {
  hotkeyd::begin_with_signals();
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    hotkeyd::log_error("failed", {{"cause", error.what()}});
    return hotkeyd::exit_software;
  }
}
