// Reads hotkeyctl's command line and environment into a value.
//
// Options may stand before or behind the verb, `--` ends them. Keys are taken byte for byte.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/endpoint.h"
#include "cli/analyze_options.h"
#include "cli/load_options.h"

namespace hotkeyd {

enum class Verb {
  top,
  list,
  watch,
  explain,
  episodes,
  pin,
  unpin,
  deny,
  allow,
  disable,
  enable,
  invalidate,
  status,
  reload,
  log_level,
  analyze,
  load,
  load_worker,  // One application process of `load`: started by it, not by people.
};

struct CtlCommandLine {
  Verb verb = Verb::list;
  Endpoint daemon;
  std::string socket;  // The endpoint as a URL.
  std::string ns;      // "*" for disable and enable --all.
  bool json = false;
  std::vector<std::string> keys;
  std::optional<std::chrono::milliseconds> expires_in;  // pin, deny, disable --for
  std::optional<std::uint64_t> count;                   // episodes -n, top -n
  std::string level;                                    // log_level
  AnalyzeOptions analyze;
  LoadOptions load;
  std::uint32_t worker = 0;   // load_worker: which one,
  std::int64_t start_ns = 0;  // and when to begin, by the steady clock.
};

// Either a command line, or what the program exits with: help and complaints are printed here.
struct CtlCommandLineOutcome {
  std::optional<CtlCommandLine> command_line;
  int exit_code = 0;
};

CtlCommandLineOutcome parse_ctl_command_line(int argc, const char* const* argv);

}  // namespace hotkeyd
