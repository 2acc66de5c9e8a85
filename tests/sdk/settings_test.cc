#include "sdk/cpp/src/settings.h"

#include <gtest/gtest.h>

#include <map>

#include "sdk/cpp/src/callbacks.h"
#include "sdk/cpp/src/troubles.h"

namespace hotkeyd::sdk {
namespace {

using std::chrono::milliseconds;
using Texts = std::vector<std::string>;

class SettingsTest : public testing::Test {
 protected:
  Settings resolve(const hotkey::Options& options) {
    return resolve_settings(options, {.variable = [&](const char* name) -> std::optional<std::string> {
                                        const auto found = variables.find(name);
                                        if (found == variables.end()) return std::nullopt;
                                        return found->second;
                                      },
                                      .exists = [&](const std::string& path) { return path == file; },
                                      .program = "my app"});
  }
  std::map<std::string, std::string> variables;
  std::string file;
};

TEST_F(SettingsTest, TakesTheOptions) {
  const Settings settings = resolve({.endpoint = "tcp://me:pw@127.0.0.1:7420",
                                     .app = "cart",
                                     .ns = "shop",
                                     .flush_interval = milliseconds(50),
                                     .max_staleness = milliseconds(700)});
  EXPECT_EQ(settings.endpoint.redacted(), "tcp://me:***@127.0.0.1:7420");
  EXPECT_EQ(settings.app, "cart");
  EXPECT_EQ(settings.ns, "shop");
  EXPECT_EQ(settings.flush_interval, milliseconds(50));
  EXPECT_EQ(settings.max_staleness, milliseconds(700));
  EXPECT_FALSE(settings.disabled);
  EXPECT_EQ(settings.complaints, Texts());
}

TEST_F(SettingsTest, LetsTheEnvironmentGoFirst) {
  variables = {{"HOTKEY_ENDPOINT", "unix:///x.sock"}, {"HOTKEY_APP", "other"},
               {"HOTKEY_NAMESPACE", "search"},        {"HOTKEY_FLUSH_INTERVAL_MS", "200"},
               {"HOTKEY_MAX_STALENESS_MS", "30"},     {"HOTKEY_SDK_DISABLED", "False"}};
  const Settings settings = resolve({.endpoint = "nonsense", .app = "cart", .ns = "shop", .disabled = true});
  EXPECT_EQ(settings.endpoint.redacted(), "unix:///x.sock");
  EXPECT_EQ(settings.app, "other");
  EXPECT_EQ(settings.ns, "search");
  EXPECT_EQ(settings.flush_interval, milliseconds(200));
  EXPECT_EQ(settings.max_staleness, milliseconds(30));
  EXPECT_FALSE(settings.disabled);
}

TEST_F(SettingsTest, TakesAnEmptyVariableAsNotSetAndReportsWhatItCannotRead) {
  variables = {{"HOTKEY_ENDPOINT", ""},
               {"HOTKEY_NAMESPACE", ""},
               {"HOTKEY_FLUSH_INTERVAL_MS", "fast"},
               {"HOTKEY_SDK_DISABLED", "perhaps"}};
  const Settings settings = resolve({.endpoint = "unix:///y.sock", .ns = "shop"});
  EXPECT_EQ(settings.endpoint.path, "/y.sock");
  EXPECT_EQ(settings.flush_interval, milliseconds(100));
  EXPECT_FALSE(settings.disabled);
  EXPECT_EQ(settings.complaints,
            (Texts{"HOTKEY_SDK_DISABLED is neither true nor false: ignored",
                   "HOTKEY_FLUSH_INTERVAL_MS is not a number of milliseconds: ignored"}));
}

TEST_F(SettingsTest, IsDisabledByTheEnvironment) {
  for (const char* yes : {"true", "TRUE", "1"}) {
    variables = {{"HOTKEY_SDK_DISABLED", yes}};
    EXPECT_TRUE(resolve({.ns = "shop"}).disabled) << yes;
  }
}

TEST_F(SettingsTest, FindsTheSocketWhereTheDaemonPutsIt) {
  variables = {{"XDG_RUNTIME_DIR", "/run/user/7"}};
  EXPECT_EQ(resolve({.ns = "shop"}).endpoint.path, "/run/hotkeyd/hotkeyd.sock");
  file = "/run/user/7/hotkeyd.sock";
  EXPECT_EQ(resolve({.ns = "shop"}).endpoint.path, "/run/user/7/hotkeyd.sock");
  file = "/run/hotkeyd/hotkeyd.sock";
  EXPECT_EQ(resolve({.ns = "shop"}).endpoint.path, "/run/hotkeyd/hotkeyd.sock");
}

TEST_F(SettingsTest, MakesANameOfTheApplication) {
  EXPECT_EQ(resolve({.ns = "shop"}).app, "my_app");
  EXPECT_EQ(resolve({.app = "a b\r\n/é", .ns = "shop"}).app, "a_b_____");
  EXPECT_EQ(resolve({.app = std::string(100, 'a'), .ns = "shop"}).app.size(), 48U);
}

TEST_F(SettingsTest, DisablesWhatCannotWorkAndSaysWhy) {
  const auto why = [&](const hotkey::Options& options) {
    const Settings settings = resolve(options);
    EXPECT_TRUE(settings.disabled);
    return settings.complaints.empty() ? "" : settings.complaints.back();
  };
  EXPECT_EQ(why({.endpoint = "localhost", .ns = "shop"}),
            "endpoint: endpoint must start with one of: unix tcp: the client is disabled");
  EXPECT_EQ(why({.endpoint = "tls://h:1", .ns = "shop"}),
            "endpoint: tls:// is not in this version: the client is disabled");
  EXPECT_EQ(why({.ns = ""}), "ns must be 1 to 128 of A-Z a-z 0-9 _ . -: the client is disabled");
  EXPECT_EQ(why({.ns = "a b"}), "ns must be 1 to 128 of A-Z a-z 0-9 _ . -: the client is disabled");
}

TEST_F(SettingsTest, BoundsTheFlushIntervalAndSaysSo) {
  const Settings settings = resolve({.ns = "shop", .flush_interval = milliseconds(0)});
  EXPECT_EQ(settings.flush_interval, milliseconds(10));
  EXPECT_EQ(settings.complaints, Texts{"flush_interval must be from 10 ms to 10 s: 10 ms is used"});
}

TEST(Troubles, TellsTheSameSentenceOncePerTenSeconds) {
  Texts told;
  Troubles troubles([&](std::string_view sentence) { told.emplace_back(sentence); });
  constexpr Time kStart{};
  troubles.report("a", kStart);
  troubles.report("b", kStart);
  troubles.report("a", kStart + milliseconds(9999));
  troubles.report("a", kStart + milliseconds(10'000));
  EXPECT_EQ(told, (Texts{"a", "b", "a"}));
  EXPECT_EQ(troubles.last(), "a");
}

TEST(Troubles, SwallowsWhatTheApplicationThrows) {
  Troubles troubles([](std::string_view) { throw 1; });
  troubles.report("a", {});
  EXPECT_EQ(troubles.last(), "a");
}

TEST(Callbacks, CallsInOrderAndReportsWhatThrows) {
  Callbacks callbacks;
  std::string called;
  callbacks.add([&](const hotkey::Event&) { called += 'a'; });
  callbacks.add([&](const hotkey::Event&) { throw std::runtime_error("no"); });
  const auto third = callbacks.add([&](const hotkey::Event&) { called += 'c'; });
  EXPECT_EQ(callbacks.call({}), "an event callback threw: no");
  callbacks.remove(third);
  callbacks.call({});
  EXPECT_EQ(called, "aca");
}

TEST(Callbacks, LetsACallbackRemoveItselfAndOthers) {
  Callbacks callbacks;
  int calls = 0;
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  first = callbacks.add([&](const hotkey::Event&) {
    ++calls;
    callbacks.remove(first);
    callbacks.remove(second);
  });
  second = callbacks.add([&](const hotkey::Event&) { ++calls; });
  callbacks.call({});
  callbacks.call({});
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(callbacks.empty());
}

TEST(Callbacks, AreBounded) {
  Callbacks callbacks;
  for (std::size_t i = 0; i < Callbacks::kCallbacksMax; ++i)
    EXPECT_NE(callbacks.add([](const hotkey::Event&) {}), 0U);
  EXPECT_EQ(callbacks.add([](const hotkey::Event&) {}), 0U);
  EXPECT_EQ(Callbacks().add(nullptr), 0U);
}

}  // namespace
}  // namespace hotkeyd::sdk
