#include "cli/command_line.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string_view>

#include "base/log.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/argument_guard.h"
#include "cli/default_endpoint.h"
#include "cli/exit_code.h"
#include "cli/format.h"
#include "cli/load_command_line.h"

namespace hotkeyd {
namespace {

struct VerbText {
  Verb verb;
  const char* name;
  const char* help;
};

constexpr VerbText kVerbs[] = {
    {Verb::top, "top", "The hottest keys, live; a table a second where the output is not a terminal"},
    {Verb::list, "list", "What is hot now, hottest first"},
    {Verb::watch, "watch", "Events as they come: promoted, updated, demoted, invalidated"},
    {Verb::explain, "explain", "Why a key is hot, or why it is not"},
    {Verb::episodes, "episodes", "What was hot, newest first"},
    {Verb::pin, "pin", "Makes a key hot, whatever its rate"},
    {Verb::unpin, "unpin", "Takes a pin back"},
    {Verb::deny, "deny", "Never lets a key be hot, whatever its rate; wins over a pin"},
    {Verb::allow, "allow", "Takes a denial back"},
    {Verb::disable, "disable", "The kill switch: demotes everything and promotes nothing"},
    {Verb::enable, "enable", "Ends disable"},
    {Verb::invalidate, "invalidate", "Says that values changed: every near cache drops its copies"},
    {Verb::status, "status", "The daemon's counters"},
    {Verb::reload, "reload", "Makes the daemon read its configuration again"},
    {Verb::log_level, "log-level", "Sets what the daemon logs, until its next reload"},
    {Verb::analyze, "analyze",
     "Who was hot in a MONITOR dump or CSV trace, and what a near cache would have saved"},
    {Verb::load, "load", "Generates traffic through the SDK, for demos and measurements"},
};

constexpr char kFooter[] =
    "Every verb also takes --socket, --ns and --json; analyze asks no daemon and heeds no --socket.\n"
    "Exit codes: 0 done, 1 the daemon said no, or a file or the output failed, 64 wrong usage, 69 no "
    "daemon.\n"
    "Keys that begin with a dash stand behind --: hotkeyctl pin --ns shop -- --key";

void add_key(CLI::App& verb, CtlCommandLine& line, bool many) {
  auto* keys = verb.add_option("KEY", line.keys, many ? "The keys" : "The key")->required()->type_name("");
  if (!many) keys->expected(1);
}

void add_expiry(CLI::App& verb, CtlCommandLine& line) {
  const auto read = [&line](const std::string& text) {
    line.expires_in = parse_time_span(text);
    if (!line.expires_in)
      throw CLI::ValidationError("--for", "'" + text + "' is not a duration from 1ms to 10000d, such as 10m");
  };
  verb.add_option_function<std::string>("--for", read, "Ends by itself after this time: 30s, 10m, 2h")
      ->type_name("DURATION");
}

void add_count(CLI::App& verb, CtlCommandLine& line) {
  const auto read = [&line](const std::string& text) {
    line.count = parse_unsigned(text);
    if (!line.count) throw CLI::ValidationError("-n", "'" + text + "' is not a number");
  };
  verb.add_option_function<std::string>("-n", read, "How many (default: 20; all of them with --json)")
      ->type_name("N");
}

void add_tables(CLI::App& verb, CtlCommandLine& line) {
  const auto read = [&line](const std::string& text) {
    line.count = parse_unsigned(text);
    if (line.count.value_or(0) == 0)
      throw CLI::ValidationError("-n", "'" + text + "' is not a number from 1 on");
  };
  verb.add_option_function<std::string>("-n", read, "Ends after so many tables (default: goes on)")
      ->type_name("N");
}

void add_level(CLI::App& verb, CtlCommandLine& line) {
  const auto read = [&line](const std::string& text) {
    const auto level = parse_log_level(text);
    if (!level) throw CLI::ValidationError("LEVEL", level.error());
    line.level = to_string(*level);
  };
  verb.add_option_function<std::string>("LEVEL", read, "debug, info, warning or error")
      ->required()
      ->type_name("");
}

void add_analyze_options(CLI::App& verb, AnalyzeOptions& options) {
  verb.add_option(
          "FILE", options.files,
          "MONITOR dumps (with or without +), CSV traces of time,key[,op[,bytes]]; - is standard input")
      ->required()
      ->type_name("");
  verb.add_option("--config", options.config, "Whose rules apply (default: one rule, 1000/s)")
      ->type_name("FILE");
  const auto read = [&options](const std::string& text) {
    options.near_ttl = parse_time_span(text);
    if (!options.near_ttl)
      throw CLI::ValidationError("--near-ttl",
                                 "'" + text + "' is not a duration from 1ms to 10000d, such as 500ms");
  };
  verb.add_option_function<std::string>("--near-ttl", read, "The near cache's TTL (default: the rule's)")
      ->type_name("DURATION");
  verb.add_option("--html", options.html, "Also writes a page with charts")->type_name("FILE");
}

void add_verb_options(CLI::App& verb, CtlCommandLine& line, bool& all) {
  switch (line.verb) {
    case Verb::pin:
    case Verb::deny:
      add_key(verb, line, false);
      return add_expiry(verb, line);
    case Verb::explain:
    case Verb::unpin:
    case Verb::allow:
      return add_key(verb, line, false);
    case Verb::invalidate:
      return add_key(verb, line, true);
    case Verb::disable:
      add_expiry(verb, line);
      [[fallthrough]];
    case Verb::enable:
      verb.add_flag("--all", all, "In every namespace");
      return;
    case Verb::top:
      return add_tables(verb, line);
    case Verb::episodes:
      return add_count(verb, line);
    case Verb::log_level:
      return add_level(verb, line);
    case Verb::analyze:
      return add_analyze_options(verb, line.analyze);
    case Verb::load:
      return add_load_options(verb, line.load);
    default:
      return;
  }
}

// The parser and the places it writes to, which must not move.
struct Parser {
  CLI::App app{"hotkeyctl shows and steers which cache keys are hot. It talks to the hotkeyd of this host.",
               "hotkeyctl"};
  CtlCommandLine line;
  bool all = false;
  std::map<const CLI::App*, Verb> verbs;

  Parser() {
    app.set_version_flag("--version", std::string("hotkeyctl ") + kVersion);
    app.require_subcommand(1);
    app.fallthrough();
    app.footer(kFooter);
    app.add_option("--socket", line.socket,
                   "Where the daemon listens (default: /run/hotkeyd/hotkeyd.sock, else "
                   "$XDG_RUNTIME_DIR/hotkeyd.sock)")
        ->type_name("URL")
        ->envname("HOTKEY_ENDPOINT");
    app.add_option("--ns", line.ns, "The namespace (analyze: whose rules apply; not required)")
        ->type_name("NAME")
        ->envname("HOTKEY_NAMESPACE");
    app.add_flag("--json", line.json, "Prints JSON, for scripts");
    for (const VerbText& verb : kVerbs) add(verb.verb, verb.name, verb.help);
    add_worker();
  }

  CLI::App& add(Verb verb, const char* name, const char* help) {
    CLI::App& added = *app.add_subcommand(name, help);
    line.verb = verb;
    add_verb_options(added, line, all);
    verbs[&added] = verb;
    return added;
  }

  void add_worker() {
    CLI::App& worker = add(Verb::load_worker, "load-worker", "");
    worker.group("");
    add_load_options(worker, line.load);
    worker.add_option("--worker", line.worker);
    worker.add_option("--start-ns", line.start_ns);
  }
};

int complain(std::string_view reason) {
  std::cerr << "hotkeyctl: " << redis_escape(reason) << " (see hotkeyctl --help)\n";
  return ctl_exit_usage;
}

int complain_about_parsing(CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version print themselves.
  const auto unknown = app.remaining();
  if (app.get_subcommands().empty() && !unknown.empty())
    return complain("unknown verb or option '" + unknown.front() + "'");
  return complain(error.what());
}

bool needs_namespace(const Parser& parser) {
  switch (parser.line.verb) {
    case Verb::status:
    case Verb::reload:
    case Verb::log_level:
    case Verb::analyze:
      return false;
    default:
      return !parser.all;
  }
}

// What is wrong with the endpoint.
std::optional<std::string> find_daemon(CtlCommandLine& line) {
  if (line.socket.empty()) line.socket = default_endpoint_url();
  if (line.socket.starts_with('/')) line.socket.insert(0, "unix://");
  auto daemon = parse_endpoint(line.socket, "unix tcp");
  if (!daemon) return "--socket: " + daemon.error();
  line.daemon = std::move(*daemon);
  return std::nullopt;
}

// What CLI11 cannot check: the endpoint and the namespace.
CtlCommandLineOutcome finish(Parser& parser) {
  CtlCommandLine& line = parser.line;
  for (std::string& key : line.keys) key = unguard_argument(key);
  for (std::string& file : line.analyze.files) file = unguard_argument(file);
  for (auto* file : {&line.analyze.config, &line.analyze.html}) {
    if (*file) **file = unguard_argument(**file);
  }
  if (std::count(line.analyze.files.begin(), line.analyze.files.end(), "-") > 1)
    return {std::nullopt, complain("standard input (-) can be read only once")};
  for (std::string* text : {&line.ns, &line.socket, &line.load.sale_key, &line.load.key_prefix})
    *text = unguard_argument(*text);
  if (line.verb != Verb::analyze) {
    if (const auto wrong = find_daemon(line)) return {std::nullopt, complain(*wrong)};
  }
  if (parser.all) line.ns = "*";
  if (needs_namespace(parser) && line.ns.empty()) {
    return {std::nullopt, complain("no namespace: give --ns NAME or set HOTKEY_NAMESPACE")};
  }
  return {std::move(line), ctl_exit_done};
}

}  // namespace

CtlCommandLineOutcome parse_ctl_command_line(int argc, const char* const* argv) {
  Parser parser;
  try {
    parser.app.parse(guarded_arguments(argc, argv));
    parser.line.verb = parser.verbs.at(parser.app.get_subcommands().front());
    if (const auto wrong = wrong_load_options(parser.line.load)) return {std::nullopt, complain(*wrong)};
  } catch (const CLI::ParseError& error) {
    return {std::nullopt, complain_about_parsing(parser.app, error)};
  }
  return finish(parser);
}

}  // namespace hotkeyd
