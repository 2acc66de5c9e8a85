#include "cli/analyze_config.h"

#include <utility>

#include "base/environment.h"
#include "base/read_file.h"
#include "config/config.h"

namespace hotkeyd {

AnalyzeRules read_analyze_rules(const std::optional<std::string>& config_file) {
  if (!config_file) return {embedded_default({}).detector, {}};
  // One byte over the limit lets the parser say that it is too large.
  const auto text = read_file(*config_file, kConfigBytesMax + 1);
  if (!text) return {std::nullopt, {*config_file + ": cannot be read: " + text.error()}};
  auto outcome = parse_config(*text, *config_file, {"", read_environment()});
  if (!outcome.config) return {std::nullopt, std::move(outcome.errors)};
  return {std::move(outcome.config->detector), {}};
}

}  // namespace hotkeyd
