// The whole configuration: every component's options, read from YAML, checked, and printed again.
//
// Why so strict: a typing error that is ignored is a threshold that is not in force. So every key must be
// known and given once, every value must carry its unit, combinations that cannot work are refused, and all
// errors are reported together with their place, not only the first. What a later version will offer is
// refused as such.
//
// Pure: no file, no environment, no clock; the daemon reads those and hands them in as `HostFacts`. Bounded:
// at most 1 MiB of text, 10,000 nodes, 100 errors. Any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "detector/options.h"
#include "publisher/options.h"
#include "server/options.h"

namespace hotkeyd {

inline constexpr std::size_t kConfigBytesMax = 1 << 20;

// What the machine says: default of `node`, and the variables that scalars and default paths may use.
struct HostFacts {
  std::string hostname;
  std::map<std::string, std::string> environment;
};

// Effective values: every default is filled in, also of rules and publishers, except `server.epoch` and
// `detector.seed`, which are the daemon's.
struct Config {
  std::string node;      // The same as server.node.
  ServerOptions server;  // RESP; at least one listen.
  HttpOptions http;
  DetectorOptions detector;                   // At least one rule.
  std::vector<PublisherOptions> publishers;   // `heartbeat` is filled in.
  Duration lease = std::chrono::seconds{10};  // The same as server.lease.
  Duration drain = std::chrono::seconds{10};
  std::optional<std::string> state;  // The state file; nullopt: none is kept.
  LogLevel log_level = LogLevel::info;
  LogFormat log_format = LogFormat::logfmt;
  bool has_rules = false;  // False: the embedded rule `default` applies.
};

// Either a configuration, or at least one error: "file:line:col: path: reason (did you mean ...?)", in the
// order of the file.
struct ConfigOutcome {
  std::optional<Config> config;
  std::vector<std::string> errors;
};

ConfigOutcome parse_config(std::string_view text, std::string_view file_name, const HostFacts& host);

// What runs where no file exists: the socket in $RUNTIME_DIRECTORY (else $XDG_RUNTIME_DIR, else
// /run/hotkeyd), tcp://127.0.0.1:7420, HTTP on 127.0.0.1:7421, the rule `default`, no publisher.
Config embedded_default(const HostFacts& host);

// The effective configuration as YAML that parse_config takes again, passwords shown as "***".
std::string print_config(const Config& config);

// The same, flat, for CONFIG GET: {"detector.window", "1s"}, {"rules[0].name", "default"}, ...
std::vector<std::pair<std::string, std::string>> config_pairs(const Config& config);

}  // namespace hotkeyd
