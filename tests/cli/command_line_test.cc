#include "cli/command_line.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/load_command_line.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

class CommandLineTest : public testing::Test {
 protected:
  CommandLineTest() {
    for (const char* name : {"HOTKEY_ENDPOINT", "HOTKEY_NAMESPACE", "XDG_RUNTIME_DIR"}) unsetenv(name);
  }

  static CtlCommandLineOutcome parse(const std::vector<std::string>& arguments) {
    std::vector<const char*> argv = {"hotkeyctl"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    return parse_ctl_command_line(static_cast<int>(argv.size()), argv.data());
  }

  static CtlCommandLine parsed(const std::vector<std::string>& arguments) {
    const auto outcome = parse(arguments);
    EXPECT_TRUE(outcome.command_line) << "refused";
    return outcome.command_line.value_or(CtlCommandLine{});
  }

  static int refused(const std::vector<std::string>& arguments) {
    const auto outcome = parse(arguments);
    EXPECT_FALSE(outcome.command_line);
    return outcome.exit_code;
  }
};

TEST_F(CommandLineTest, TakesOptionsBeforeAndBehindTheVerb) {
  for (const auto& line : {parsed({"--socket", "unix:///s", "--ns", "shop", "--json", "list"}),
                           parsed({"list", "--socket", "unix:///s", "--ns", "shop", "--json"}),
                           parsed({"--ns=shop", "list", "--json", "--socket=/s"})}) {
    EXPECT_EQ(line.verb, Verb::list);
    EXPECT_EQ(line.daemon.path, "/s");
    EXPECT_EQ(line.ns, "shop");
    EXPECT_TRUE(line.json);
  }
}

TEST_F(CommandLineTest, KnowsEveryVerb) {
  const std::vector<std::pair<std::string, Verb>> plain = {
      {"top", Verb::top},           {"list", Verb::list},       {"watch", Verb::watch},
      {"episodes", Verb::episodes}, {"disable", Verb::disable}, {"enable", Verb::enable},
      {"status", Verb::status},     {"load", Verb::load},       {"reload", Verb::reload}};
  for (const auto& [name, verb] : plain) EXPECT_EQ(parsed({name, "--ns", "shop"}).verb, verb) << name;
  const std::vector<std::pair<std::string, Verb>> with_key = {
      {"explain", Verb::explain}, {"pin", Verb::pin},     {"unpin", Verb::unpin},
      {"deny", Verb::deny},       {"allow", Verb::allow}, {"invalidate", Verb::invalidate}};
  for (const auto& [name, verb] : with_key) {
    const auto line = parsed({name, "k", "--ns", "shop"});
    EXPECT_EQ(line.verb, verb) << name;
    EXPECT_EQ(line.keys, std::vector<std::string>{"k"}) << name;
  }
}

TEST_F(CommandLineTest, TakesKeysByteForByte) {
  for (const std::string key :
       {"",     " ",       "a b",      "-",    "[a-z]",       "[a,b]", "[]", "{}",  "{}{0}", "%%",    "%s%n",
        "\x01", "\x01[a]", "\xff\xfe", "list", "load-worker", "a=b",   "\"", "'a'", "\\",    "a\r\nb"}) {
    EXPECT_EQ(parsed({"pin", key, "--ns", "shop"}).keys, std::vector<std::string>{key}) << key;
    EXPECT_EQ(parsed({"invalidate", "--ns", "shop", key, "other", key}).keys,
              (std::vector<std::string>{key, "other", key}))
        << key;
    EXPECT_EQ(parsed({"pin", "--ns", "shop", "--", key}).keys, std::vector<std::string>{key}) << key;
  }
}

TEST_F(CommandLineTest, TakesKeysWithDashesBehindTwoDashes) {
  EXPECT_EQ(parsed({"pin", "--ns", "shop", "--", "--help"}).keys, std::vector<std::string>{"--help"});
  EXPECT_EQ(parsed({"invalidate", "--ns", "shop", "--", "-n", "--", "--ns"}).keys,
            (std::vector<std::string>{"-n", "--", "--ns"}));
}

TEST_F(CommandLineTest, TakesTheEnvironmentWhereOptionsAreMissing) {
  setenv("HOTKEY_ENDPOINT", "tcp://user:secret@h:1", 1);
  setenv("HOTKEY_NAMESPACE", "env", 1);
  const auto line = parsed({"list"});
  EXPECT_EQ(line.daemon.host, "h");
  EXPECT_EQ(line.daemon.password, "secret");
  EXPECT_EQ(line.ns, "env");
  EXPECT_EQ(parsed({"list", "--ns", "shop"}).ns, "shop");
}

TEST_F(CommandLineTest, DefaultsToTheSocketOfTheSystem) {
  EXPECT_EQ(parsed({"status"}).socket, "unix:///run/hotkeyd/hotkeyd.sock");
}

TEST_F(CommandLineTest, ReadsWhatVerbsTake) {
  EXPECT_EQ(parsed({"pin", "k", "--for", "10m", "--ns", "s"}).expires_in, std::chrono::milliseconds(10min));
  EXPECT_EQ(parsed({"deny", "--for=1s", "k", "--ns", "s"}).expires_in, std::chrono::milliseconds(1s));
  EXPECT_EQ(parsed({"disable", "--all", "--for", "1h"}).ns, "*");
  EXPECT_EQ(parsed({"enable", "--all"}).ns, "*");
  EXPECT_EQ(parsed({"episodes", "-n", "5", "--ns", "s"}).count, 5U);
}

TEST_F(CommandLineTest, TakesALogLevelWithoutANamespace) {
  for (const auto& [word, level] : {std::pair{"debug", "debug"}, std::pair{"warn", "warning"}}) {
    const auto line = parsed({"log-level", word});
    EXPECT_EQ(line.verb, Verb::log_level);
    EXPECT_EQ(line.level, level);
  }
}

TEST_F(CommandLineTest, RefusesWrongUsage) {
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"nosuchverb"},
      {"--nosuchoption"},
      {"list", "--nosuchoption", "--ns", "s"},
      {"list", "extra", "--ns", "s"},
      {"list", "watch", "--ns", "s"},
      {"list"},
      {"list", "--ns", ""},
      {"log-level"},
      {"log-level", "loud"},
      {"reload", "now"},
      {"pin", "--ns", "s"},
      {"pin", "a", "b", "--ns", "s"},
      {"explain", "--ns", "s"},
      {"invalidate", "--ns", "s"},
      {"pin", "k", "--for", "10", "--ns", "s"},
      {"unpin", "k", "--for", "10s", "--ns", "s"},
      {"episodes", "-n", "-1", "--ns", "s"},
      {"episodes", "-n", "many", "--ns", "s"},
      {"list", "--ns", "s", "--socket", "nonsense"},
      {"list", "--ns", "s", "--socket", "tls://h:1"},
      {"list", "--ns", "s", "--socket", "unix://relative"},
      {"load", "--ns", "s", "--processes", "0"},
      {"load", "--ns", "s", "--processes", "65"},
      {"load", "--ns", "s", "--keys", "0"},
      {"load", "--ns", "s", "--zipf", "-1"},
      {"load", "--ns", "s", "--rate", "0"},
      {"load", "--ns", "s", "--sale-share", "50"},
      {"load", "--ns", "s", "--sale-end", "3s"},
      {"load", "--ns", "s", "--sale-at", "20s"},
      {"load", "--ns", "s", "--sale-at", "3s", "--sale-end", "3s"},
  };
  for (const auto& arguments : wrong)
    EXPECT_EQ(refused(arguments), ctl_exit_usage) << testing::PrintToString(arguments);
}

TEST_F(CommandLineTest, EndsWellAfterHelpAndVersion) {
  EXPECT_EQ(refused({"--help"}), ctl_exit_done);
  EXPECT_EQ(refused({"pin", "--help"}), ctl_exit_done);
  EXPECT_EQ(refused({"--version"}), ctl_exit_done);
}

TEST_F(CommandLineTest, HandsLoadOptionsToItsWorkers) {
  const std::vector<std::string> given = {"load",
                                          "--ns",
                                          "s",
                                          "--processes",
                                          "3",
                                          "--keys",
                                          "77",
                                          "--zipf",
                                          "0.9",
                                          "--rate",
                                          "5000",
                                          "--duration",
                                          "9s",
                                          "--writes",
                                          "3.25%",
                                          "--sale-at",
                                          "1500ms",
                                          "--sale-end",
                                          "4s",
                                          "--sale-share",
                                          "33.3%",
                                          "--sale-key",
                                          "[x]",
                                          "--key-prefix",
                                          "{p}:",
                                          "--seed",
                                          "18446744073709551615"};
  const LoadOptions options = parsed(given).load;
  std::vector<std::string> again = {"load-worker", "--ns", "s", "--worker=2", "--start-ns=5"};
  const auto passed = load_arguments(options);
  again.insert(again.end(), passed.begin(), passed.end());
  const CtlCommandLine worker = parsed(again);
  EXPECT_EQ(load_arguments(worker.load), passed);
  EXPECT_EQ(worker.load.sale_key, "[x]");
  EXPECT_EQ(worker.load.key_prefix, "{p}:");
  EXPECT_EQ(worker.load.sale_share, options.sale_share);
  EXPECT_EQ(worker.verb, Verb::load_worker);
  EXPECT_EQ(worker.worker, 2U);
  EXPECT_EQ(worker.start_ns, 5);
}

TEST_F(CommandLineTest, TakesTheNumberOfTablesOfTop) {
  EXPECT_EQ(parsed({"top", "--ns", "shop"}).count, std::nullopt);
  EXPECT_EQ(parsed({"top", "--ns", "shop", "-n", "3"}).count, 3U);
  for (const char* wrong : {"0", "-1", "x", ""})
    EXPECT_EQ(refused({"top", "--ns", "shop", "-n", wrong}), ctl_exit_usage);
  EXPECT_EQ(refused({"top"}), ctl_exit_usage) << "without a namespace";
}

}  // namespace
}  // namespace hotkeyd
