// What the tests of the configuration share: a machine, and the two ways a text can end.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace hotkeyd {

inline HostFacts test_host() {
  return {"web-17",
          {{"RUNTIME_DIRECTORY", "/run/test"}, {"NODE", "from-env"}, {"EMPTY", ""}, {"PASS", "s3cr3t"}}};
}

inline std::vector<std::string> errors_of(std::string_view text) {
  return parse_config(text, "f", test_host()).errors;
}

inline Config config_of(std::string_view text) {
  const ConfigOutcome outcome = parse_config(text, "f", test_host());
  EXPECT_EQ(outcome.errors, std::vector<std::string>{}) << text;
  return outcome.config.value_or(Config{});
}

}  // namespace hotkeyd
