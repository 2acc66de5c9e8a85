// The options of `hotkeyctl load`: declared for CLI11, checked, and written out again for its worker
// processes.
#pragma once

#include <CLI/App.hpp>

#include <optional>
#include <string>
#include <vector>

#include "cli/load_options.h"

namespace hotkeyd {

void add_load_options(CLI::App& verb, LoadOptions& options);
// Why these options do not fit together, if they do not.
std::optional<std::string> wrong_load_options(const LoadOptions& options);
// The arguments that make a worker read the same options.
std::vector<std::string> load_arguments(const LoadOptions& options);

}  // namespace hotkeyd
