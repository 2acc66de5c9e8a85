#include <fstream>
#include <iterator>

#include "tests/config/outcome.h"

namespace hotkeyd {
namespace {

std::string shipped() {
  std::ifstream file(HOTKEYD_SOURCE_DIR "/config/hotkeyd.yaml");
  return {std::istreambuf_iterator<char>(file), {}};
}

// Takes the mark "# " from every line that shows an option.
std::string with_options_uncommented(const std::string& text) {
  std::string out;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    std::string line = text.substr(begin, end - begin);
    const bool is_option = line.starts_with("#   - ") || line.starts_with("#     ") ||
                           line.starts_with("# listen:") || line.starts_with("# publishers:") ||
                           line.starts_with("# lease:");
    const bool is_prose = line.starts_with("#             ") || line.starts_with("#               ");
    if (is_option && !is_prose) line = line.substr(2);
    out += line + "\n";
    begin = end + 1;
  }
  return out;
}

TEST(ShippedFile, IsTheEmbeddedDefaultOnAnyMachine) {
  EXPECT_EQ(print_config(config_of(shipped())), print_config(embedded_default(test_host())));
}

TEST(ShippedFile, ShowsOptionsThatWork) {
  HostFacts host = test_host();
  host.environment["REDIS_PASSWORD"] = "secret";
  const auto outcome = parse_config(with_options_uncommented(shipped()), "hotkeyd.yaml", host);
  EXPECT_EQ(outcome.errors, std::vector<std::string>{});
  ASSERT_TRUE(outcome.config);
  EXPECT_EQ(outcome.config->detector.rules.size(), 4U);
  EXPECT_EQ(outcome.config->publishers.size(), 1U);
}

}  // namespace
}  // namespace hotkeyd
