// The rules that `analyze` applies: those of a configuration file, or the embedded default's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "detector/options.h"

namespace hotkeyd {

// Either options, or why there are none, a line each: the errors of `hotkeyd --check-config`.
struct AnalyzeRules {
  std::optional<DetectorOptions> options;
  std::vector<std::string> errors;
};

AnalyzeRules read_analyze_rules(const std::optional<std::string>& config_file);

}  // namespace hotkeyd
