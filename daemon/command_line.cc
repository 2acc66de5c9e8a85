#include "daemon/command_line.h"

#include <CLI/CLI.hpp>

#include <iostream>

#include "base/version.h"
#include "daemon/exit_code.h"

namespace hotkeyd {
namespace {

constexpr const char* kFooter =
    "SIGTERM and SIGINT end it when all is sent, within the drain deadline; a further SIGINT ends it at "
    "once.\n"
    "SIGHUP makes it read its configuration again.\n"
    "Exit codes: 0 done, 64 wrong usage, 70 internal fault or not all was sent in time, 78 bad configuration "
    "or address.";

int complain(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version print themselves.
  std::cerr << "hotkeyd: " << error.what() << " (see hotkeyd --help)\n";
  return exit_usage;
}

}  // namespace

CommandLineOutcome parse_command_line(int argc, const char* const* argv) {
  CLI::App app{"hotkeyd finds hot cache keys on this host and tells who can absorb them.", "hotkeyd"};
  app.set_version_flag("--version", std::string("hotkeyd ") + kVersion);
  app.footer(kFooter);
  std::string config;
  std::string checked;
  bool prints = false;
  app.add_option("--config", config,
                 "Configuration file (default: /etc/hotkeyd/hotkeyd.yaml where it exists)")
      ->type_name("FILE");
  auto* check =
      app.add_option("--check-config", checked, "Check the configuration, print every error, exit 0 or 78")
          ->type_name("[FILE]")
          ->expected(0, 1);
  app.add_flag("--print-config", prints, "Print the configuration in force, without secrets");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return {std::nullopt, complain(app, error)};
  }
  CommandLine line;
  if (!config.empty()) line.config_path = config;
  if (!checked.empty()) line.config_path = checked;
  if (check->count() > 0) line.action = Action::check_config;
  if (prints) line.action = Action::print_config;
  return {line, 0};
}

}  // namespace hotkeyd
