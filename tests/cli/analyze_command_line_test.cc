#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/exit_code.h"

namespace hotkeyd {
namespace {

CtlCommandLineOutcome parsed(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), {"hotkeyctl", "analyze"});
  return parse_ctl_command_line(static_cast<int>(arguments.size()), arguments.data());
}

TEST(AnalyzeCommandLine, TakesFilesAndOptionsAndNeedsNoNamespace) {
  const auto outcome =
      parsed({"a.txt", "-", "[b]", "--near-ttl", "500ms", "--html", "out.html", "--config", "c.yaml"});
  ASSERT_TRUE(outcome.command_line);
  const AnalyzeOptions& options = outcome.command_line->analyze;
  EXPECT_EQ(options.files, (std::vector<std::string>{"a.txt", "-", "[b]"}));
  EXPECT_EQ(options.near_ttl, std::chrono::milliseconds{500});
  EXPECT_EQ(options.html, "out.html");
  EXPECT_EQ(options.config, "c.yaml");
}

TEST(AnalyzeCommandLine, HeedsNoDaemon) {
  ASSERT_EQ(setenv("HOTKEY_ENDPOINT", "tls://h:1", 1), 0);
  EXPECT_TRUE(parsed({"a.txt"}).command_line);
  EXPECT_EQ(unsetenv("HOTKEY_ENDPOINT"), 0);
  EXPECT_TRUE(parsed({"a.txt", "--socket", "nonsense"}).command_line);
}

TEST(AnalyzeCommandLine, RefusesWhatMakesNoSense) {
  for (const auto& arguments :
       std::vector<std::vector<const char*>>{{}, {"-", "-"}, {"a", "--near-ttl", "5"}}) {
    const auto outcome = parsed(arguments);
    EXPECT_FALSE(outcome.command_line);
    EXPECT_EQ(outcome.exit_code, ctl_exit_usage);
  }
}

}  // namespace
}  // namespace hotkeyd
