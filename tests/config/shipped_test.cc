#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/config/outcome.h"
#include "tests/support/source_dir.h"

namespace hotkeyd {
namespace {

std::string shipped() {
  std::ifstream file(HOTKEYD_SOURCE_DIR "/config/hotkeyd.yaml");
  return {std::istreambuf_iterator<char>(file), {}};
}

// Takes the mark "# " from every option; prose has two marks.
std::string with_options_set(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool excludes_namespaces = line.starts_with("# namespaces_max");
    if (line.starts_with("# ") && !excludes_namespaces) line.erase(0, 2);
    out += line + "\n";
  }
  return out;
}

TEST(ShippedFile, IsTheEmbeddedDefaultOnAnyMachine) {
  EXPECT_EQ(print_config(config_of(shipped())), print_config(embedded_default(test_host())));
}

TEST(ShippedFile, ShowsOptionsThatWork) {
  HostFacts host = test_host();
  host.environment["REDIS_PASSWORD"] = "secret";
  const auto outcome = parse_config(with_options_set(shipped()), "hotkeyd.yaml", host);
  EXPECT_EQ(outcome.errors, std::vector<std::string>{});
  ASSERT_TRUE(outcome.config);
  EXPECT_EQ(outcome.config->detector.rules.size(), 4U);
  EXPECT_EQ(outcome.config->publishers.size(), 2U);
}

}  // namespace
}  // namespace hotkeyd
