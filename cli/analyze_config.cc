#include "cli/analyze_config.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include "config/config.h"

namespace hotkeyd {
namespace {

// Scalars of the file may use the environment; other facts do not matter to rules.
HostFacts environment_facts() {
  HostFacts facts;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      facts.environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return facts;
}

AnalyzeRules unreadable(const std::string& path) {
  return {std::nullopt, {path + ": cannot be read: " + std::strerror(errno)}};
}

}  // namespace

AnalyzeRules read_analyze_rules(const std::optional<std::string>& config_file) {
  if (!config_file) return {embedded_default({}).detector, {}};
  errno = 0;
  std::ifstream file(*config_file, std::ios::binary);
  if (!file) return unreadable(*config_file);
  std::string text(kConfigBytesMax + 1, '\0');  // One byte more shows the parser that it is too large.
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) return unreadable(*config_file);
  text.resize(static_cast<std::size_t>(file.gcount()));
  auto outcome = parse_config(text, *config_file, environment_facts());
  if (!outcome.config) return {std::nullopt, std::move(outcome.errors)};
  return {std::move(outcome.config->detector), {}};
}

}  // namespace hotkeyd
