// What HOTKEY GET, EPISODES and RULES answer, as JSON (docs/protocol.md). Pure.
#pragma once

#include <string>
#include <string_view>

#include "detector/detector.h"

namespace hotkeyd {

std::string explanation_json(std::string_view ns, const Explanation& explanation);
std::string episode_json(const Episode& episode);
std::string rules_json(const RulesView& rules);

}  // namespace hotkeyd
