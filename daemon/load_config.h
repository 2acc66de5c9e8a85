// Reads the configuration from where it lies: the edge around the pure parser of config/.
#pragma once

#include <optional>
#include <string>

#include "config/config.h"

namespace hotkeyd {

// Where the configuration came from, for the log: a path, or "embedded default".
struct LoadedConfig {
  ConfigOutcome outcome;
  std::string origin;
};

// `path`: the file named on the command line; nullopt as CommandLine says. A file that cannot be read is an
// error that names it.
LoadedConfig load_config(const std::optional<std::string>& path);

// The same for a running daemon, whose options a file that is just being written, or a pipe that was read at
// the start, must not reset: what is empty or no regular file is an error.
LoadedConfig reload_config(const std::optional<std::string>& path);

}  // namespace hotkeyd
