// What `hotkeyctl analyze` was asked for. Plain values.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace hotkeyd {

struct AnalyzeOptions {
  std::vector<std::string> files;                     // "-": standard input.
  std::optional<std::string> config;                  // nullopt: the embedded default.
  std::optional<std::chrono::milliseconds> near_ttl;  // Instead of the rules'.
  std::optional<std::string> html;                    // Where the page goes.
};

}  // namespace hotkeyd
