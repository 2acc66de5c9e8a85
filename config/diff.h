// What a reload changes: which options of a new configuration apply at once, and which need a restart.
//
// Options that size what was allocated at the start (detector, namespaces) or that name the streams (node)
// keep their running value until a restart; so do rules that do not fit the running detector. All others
// apply to the running daemon. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace hotkeyd {

// Each option is in exactly one of the lists, by the name it has in the file ("detector.window").
struct ConfigDiff {
  std::vector<std::string> applied;
  std::vector<std::string> needs_restart;
  std::vector<std::string> unchanged;
  Config in_force;  // The new configuration, with the running values of what needs a restart.

  bool applies(std::string_view option) const;
};

ConfigDiff diff_configs(const Config& running, const Config& loaded);

}  // namespace hotkeyd
