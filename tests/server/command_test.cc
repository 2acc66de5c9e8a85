#include "server/command.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/server/server_rig.h"

namespace hotkeyd {
namespace {

using Words = std::vector<std::string>;

TEST(Commands, IgnoreCase) {
  ServerRig rig;
  const auto client = rig.connect();
  EXPECT_EQ(rig.raw(*client, {"pInG"}), "+PONG\r\n");
  EXPECT_EQ(rig.raw(*client, {"HotKey", "hIT", "shop", "k"}), ":1\r\n");
}

TEST(Commands, ThatAreUnknownGetOneLineWhateverTheirBytes) {
  ServerRig rig;
  const auto client = rig.connect();
  EXPECT_EQ(rig.raw(*client, {"FOO", "x"}), "-ERR unknown command 'FOO', with args beginning with: 'x' \r\n");
  for (const std::string& name :
       Words{"a\r\n+OK\r\n", std::string(1, '\0'), "", std::string(5000, 'x'), "\xff"}) {
    for (const Words& words : {Words{name, name}, Words{"HOTKEY", name, name}, Words{"CLIENT", name}}) {
      const std::string reply = rig.raw(*client, words);
      EXPECT_TRUE(reply.starts_with("-ERR unknown ")) << reply;
      EXPECT_EQ(reply.find("\r\n"), reply.size() - 2) << reply;
      EXPECT_LT(reply.size(), 600U);
    }
  }
}

TEST(Commands, RefuseAWrongNumberOfArguments) {
  ServerRig rig;
  const auto client = rig.connect();
  for (const Words& words : {Words{"HOTKEY"},
                             {"HOTKEY", "REPORT", "shop", "app", "1", "1"},
                             {"HOTKEY", "HIT", "shop"},
                             {"HOTKEY", "HIT", "shop", "k", "1", "READ", "more"},
                             {"HOTKEY", "TOP", "shop"},
                             {"HOTKEY", "PIN", "shop", "k", "PX"},
                             {"HOTKEY", "PIN", "shop", "k", "1", "2", "3"},
                             {"HOTKEY", "DISABLE"},
                             {"HOTKEY", "INVALIDATE", "shop"},
                             {"ECHO"},
                             {"ECHO", "a", "b"},
                             {"SUBSCRIBE"},
                             {"PSUBSCRIBE"},
                             {"CLIENT"},
                             {"CLIENT", "SETNAME"},
                             {"PING", "a", "b"}}) {
    EXPECT_TRUE(rig.raw(*client, words).starts_with("-ERR ")) << words[0];
  }
  EXPECT_EQ(rig.detector.namespaces(), 0U);
}

TEST(Commands, HaveUniqueNamesAndSummaries) {
  std::set<std::string_view> names;
  for (const CommandSpec* spec : all_commands()) {
    EXPECT_TRUE(names.insert(spec->name).second) << spec->name;
    EXPECT_FALSE(spec->summary.empty());
    for (const CommandSpec& subcommand : spec->subcommands) {
      EXPECT_TRUE(names.insert(subcommand.name).second) << subcommand.name;
      EXPECT_TRUE(subcommand.name.starts_with(std::string(spec->name) + "|")) << subcommand.name;
    }
  }
}

TEST(Commands, DescribeThemselvesConsistently) {
  ServerRig rig;
  const auto client = rig.connect();
  const RespValue table = rig.ask(*client, {"COMMAND"});
  const auto count = static_cast<std::int64_t>(table.items.size());
  EXPECT_EQ(rig.ask(*client, {"COMMAND", "COUNT"}).integer, count);
  EXPECT_EQ(static_cast<std::int64_t>(rig.ask(*client, {"COMMAND", "DOCS"}).items.size()), 2 * count);
  const RespValue chosen = rig.ask(*client, {"COMMAND", "INFO", "PING", "nosuch"});
  ASSERT_EQ(chosen.items.size(), 2U);
  EXPECT_EQ(chosen.items[0].items[0].text, "ping");
  EXPECT_EQ(chosen.items[1].kind, RespValue::Kind::null);
}

TEST(Commands, TakeNoOrdersOverTcp) {
  ServerRig rig;
  const auto tcp = rig.connect(false);
  for (const Words& words : {Words{"HOTKEY", "PIN", "shop", "k"},
                             {"HOTKEY", "UNPIN", "shop", "k"},
                             {"HOTKEY", "DENY", "shop", "k"},
                             {"HOTKEY", "ALLOW", "shop", "k"},
                             {"HOTKEY", "DISABLE", "*"},
                             {"HOTKEY", "ENABLE", "*"},
                             {"HOTKEY", "LOGLEVEL", "debug"},
                             {"HOTKEY", "RELOAD"}}) {
    EXPECT_TRUE(rig.raw(*tcp, words).starts_with("-NOPERM ")) << words[1];
  }
  for (const Words& words : {Words{"HOTKEY", "HIT", "shop", "k"},
                             {"HOTKEY", "INVALIDATE", "shop", "k"},
                             {"HOTKEY", "TOP", "shop", "1"},
                             {"HOTKEY", "LIST", "shop"},
                             {"HOTKEY", "RULES", "shop"},
                             {"HOTKEY", "STATS"},
                             {"INFO"},
                             {"CONFIG", "GET", "*"},
                             {"SUBSCRIBE", "x"}}) {
    EXPECT_FALSE(rig.raw(*tcp, words).starts_with("-")) << words[0];
  }
}

TEST(Hello, SwitchesTheProtocol) {
  ServerRig rig;
  const auto client = rig.connect();
  EXPECT_TRUE(rig.raw(*client, {"HELLO"}).starts_with("*14\r\n"));
  EXPECT_TRUE(rig.raw(*client, {"HELLO", "3", "SETNAME", "cart"})
                  .starts_with("%7\r\n$6\r\nserver\r\n$7\r\nhotkeyd\r\n"));
  EXPECT_EQ(rig.raw(*client, {"CLIENT", "GETNAME"}), "$4\r\ncart\r\n");
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "GET", "shop", "nobody"}), "_\r\n");
  EXPECT_EQ(rig.raw(*client, {"HELLO", "4"}), "-NOPROTO unsupported protocol version\r\n");
  EXPECT_TRUE(rig.raw(*client, {"HELLO", "x"}).starts_with("-ERR "));
  EXPECT_TRUE(rig.raw(*client, {"HELLO", "2", "AUTH", "app"}).starts_with("-ERR Syntax error"));
  EXPECT_TRUE(rig.raw(*client, {"HELLO", "2", "AUTH", "default", "x"}).starts_with("*14\r\n"));
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "GET", "shop", "nobody"}), "$-1\r\n");
}

TEST(Connection, AnswersAsARedisWithoutAPassword) {
  ServerRig rig;
  const auto client = rig.connect();
  EXPECT_TRUE(
      rig.raw(*client, {"AUTH", "secret"}).starts_with("-ERR AUTH <password> called without any password"));
  EXPECT_TRUE(rig.raw(*client, {"AUTH", "app", "secret"}).starts_with("-WRONGPASS "));
  EXPECT_EQ(rig.raw(*client, {"AUTH", "default", "secret"}), "+OK\r\n");
  EXPECT_EQ(rig.raw(*client, {"SELECT", "0"}), "+OK\r\n");
  EXPECT_TRUE(rig.raw(*client, {"SELECT", "1"}).starts_with("-ERR "));
  EXPECT_EQ(rig.raw(*client, {"ECHO", std::string("\0\r\n\xff", 4)}),
            std::string("$4\r\n\0\r\n\xff\r\n", 10));
  EXPECT_EQ(rig.raw(*client, {"CLIENT", "SETINFO", "LIB-NAME", "kit"}), "+OK\r\n");
  EXPECT_TRUE(rig.raw(*client, {"CLIENT", "SETNAME", "a b"}).starts_with("-ERR "));
  EXPECT_EQ(rig.raw(*client, {"CLIENT", "ID"}), ":1\r\n");
}

TEST(ClientReply, SilencesAllOrOne) {
  ServerRig rig;
  const auto client = rig.connect();
  EXPECT_EQ(rig.raw(*client, {"CLIENT", "REPLY", "OFF"}), "");
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "HIT", "shop", "k", "100"}), "");
  EXPECT_EQ(rig.raw(*client, {"NOSUCH"}), "");
  EXPECT_EQ(rig.raw(*client, {"CLIENT", "REPLY", "ON"}), "+OK\r\n");
  EXPECT_EQ(rig.raw(*client, {"CLIENT", "REPLY", "SKIP"}), "");
  EXPECT_EQ(rig.raw(*client, {"PING"}), "");
  EXPECT_EQ(rig.raw(*client, {"PING"}), "+PONG\r\n");
  EXPECT_EQ(rig.detector.hot_keys(0).size(), 1U);
}

TEST(ClientReply, LetsEventsPass) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, {"HELLO", "3"});
  rig.raw(*client, {"CLIENT", "REPLY", "OFF"});
  EXPECT_TRUE(rig.raw(*client, {"SUBSCRIBE", "hotkey:events:shop"}).starts_with(">3\r\n$9\r\nsubscribe\r\n"));
  EXPECT_TRUE(rig.raw(*client, {"HOTKEY", "PIN", "shop", "k"}).starts_with(">3\r\n$7\r\nmessage\r\n"));
}

TEST(Reset, ForgetsTheStateOfTheConnection) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, {"HELLO", "3", "SETNAME", "cart"});
  rig.raw(*client, {"SUBSCRIBE", "hotkey:events:shop"});
  EXPECT_EQ(rig.raw(*client, {"RESET"}), "+RESET\r\n");
  EXPECT_EQ(rig.raw(*client, {"CLIENT", "GETNAME"}), "$-1\r\n");
  EXPECT_EQ(rig.subscriptions.size(), 0U);
}

TEST(ASubscribedConnection, TakesOnlyAFewCommandsInResp2) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, {"SUBSCRIBE", "x"});
  EXPECT_TRUE(rig.raw(*client, {"ECHO", "x"}).starts_with("-ERR Can't execute 'echo'"));
  EXPECT_TRUE(
      rig.raw(*client, {"HOTKEY", "HIT", "shop", "k"}).starts_with("-ERR Can't execute 'hotkey|hit'"));
  EXPECT_EQ(rig.raw(*client, {"PING"}), "*2\r\n$4\r\npong\r\n$0\r\n\r\n");
  EXPECT_EQ(rig.raw(*client, {"QUIT"}), "+OK\r\n");
  EXPECT_TRUE(client->closes_after_flush);
}

TEST(ASubscribedConnection, TakesEveryCommandInResp3) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, {"HELLO", "3"});
  rig.raw(*client, {"SUBSCRIBE", "x"});
  EXPECT_EQ(rig.raw(*client, {"PING"}), "+PONG\r\n");
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "HIT", "shop", "k"}), ":1\r\n");
}

TEST(HttpRequests, CloseTheConnection) {
  for (const std::string word : {"POST", "Host:"}) {
    ServerRig rig;
    const auto client = rig.connect();
    EXPECT_EQ(rig.raw(*client, {word, "/", "HTTP/1.1"}), "");
    EXPECT_TRUE(client->closes_now);
  }
}

TEST(ConfigGet, ShowsWhatTheDaemonGives) {
  ServerRig rig;
  rig.hooks.config_pairs = [] {
    return std::vector<std::pair<std::string, std::string>>{
        {"node", "web-17"}, {"lease", "10s"}, {"log.level", "info"}};
  };
  const auto client = rig.connect();
  EXPECT_EQ(rig.raw(*client, {"CONFIG", "GET", "NOD*", "node"}), "*2\r\n$4\r\nnode\r\n$6\r\nweb-17\r\n");
  EXPECT_EQ(rig.ask(*client, {"CONFIG", "GET", "*"}).items.size(), 6U);
  EXPECT_EQ(rig.raw(*client, {"CONFIG", "GET", "save"}), "*0\r\n");
}

TEST(Info, IsSectionsOfLines) {
  ServerRig rig;
  const auto client = rig.connect();
  const std::string all = rig.ask(*client, {"INFO"}).text;
  const std::string server = rig.ask(*client, {"INFO", "server"}).text;
  EXPECT_TRUE(server.starts_with("# Server\r\nhotkeyd_version:1.2.3\r\nnode:web-17\r\n")) << server;
  EXPECT_TRUE(all.starts_with(server));
  EXPECT_NE(all.find("\r\n# Clients\r\n"), std::string::npos);
  EXPECT_EQ(rig.ask(*client, {"INFO", "nosuch"}).text, "");
}

TEST(Views, AnswerForAnUnknownNamespaceAsForAnEmptyOne) {
  ServerRig rig;
  const auto client = rig.connect();
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "LIST", "shop"}), "*0\r\n");
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "TOP", "shop", "5"}), "*0\r\n");
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "GET", "shop", "k"}), "$-1\r\n");
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "EPISODES", "shop", "5"}), "*0\r\n");
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "UNPIN", "shop", "k"}), "+OK\r\n");
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "ENABLE", "shop"}), "+OK\r\n");
  const auto snapshot = decode_event(rig.ask(*client, {"HOTKEY", "SNAPSHOT", "shop"}).text);
  ASSERT_TRUE(snapshot) << snapshot.error();
  EXPECT_EQ(snapshot->seq, 0U);
  EXPECT_TRUE(snapshot->keys.empty());
  EXPECT_NE(rig.ask(*client, {"HOTKEY", "RULES", "shop"}).text.find("\"smallest_threshold\":100"),
            std::string::npos);
  EXPECT_EQ(rig.detector.namespaces(), 0U);
}

TEST(Views, RefuseWhatIsNoNamespace) {
  ServerRig rig;
  const auto client = rig.connect();
  for (const std::string& ns : Words{"", "a b", "a*", "a/b", std::string(129, 'n'), "a\r\nb", "\xff"}) {
    for (const Words& words : {Words{"HOTKEY", "LIST", ns},
                               {"HOTKEY", "TOP", ns, "1"},
                               {"HOTKEY", "SNAPSHOT", ns},
                               {"HOTKEY", "PIN", ns, "k"},
                               {"HOTKEY", "HIT", ns, "k"},
                               {"HOTKEY", "INVALIDATE", ns, "k"},
                               {"HOTKEY", "RULES", ns},
                               {"HOTKEY", "DISABLE", ns},
                               {"HOTKEY", "UNPIN", ns, "k"}}) {
      EXPECT_TRUE(rig.raw(*client, words).starts_with("-ERR ")) << words[1];
    }
  }
}

TEST(Views, RankTheHottestKeys) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, {"HOTKEY", "HIT", "shop", "warm", "30"});
  rig.raw(*client, {"HOTKEY", "HIT", "shop", "hot", "100"});
  rig.run(100ms);
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "TOP", "shop", "1"}),
            "*1\r\n*5\r\n$3\r\nhot\r\n:100\r\n:0\r\n$4\r\nread\r\n$3\r\nhot\r\n");
  EXPECT_EQ(rig.ask(*client, {"HOTKEY", "TOP", "shop", "1000000000"}).items.size(), 2U);
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "TOP", "shop", "0"}), "*0\r\n");
  EXPECT_TRUE(rig.raw(*client, {"HOTKEY", "TOP", "shop", "-1"}).starts_with("-ERR "));
}

TEST(Views, ListTheDataOfTheEvent) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, {"HOTKEY", "HIT", "shop", "k", "100"});
  const RespValue list = rig.ask(*client, {"HOTKEY", "LIST", "shop"});
  ASSERT_EQ(list.items.size(), 1U);
  EXPECT_EQ(list.items[0].text, rig.outlet.events[0].key_data);
}

TEST(Orders, TakeEffectAtOnceAndEndByThemselves) {
  ServerRig rig;
  const auto client = rig.connect();
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "PIN", "shop", "k", "px", "500"}), "+OK\r\n");
  EXPECT_EQ(rig.detector.hot_keys(0).size(), 1U);
  rig.run(600ms);
  EXPECT_EQ(rig.detector.hot_keys(0).size(), 0U);
}

TEST(Orders, OfTheKillSwitchAreLogged) {
  ServerRig rig;
  const auto client = rig.connect();
  ::testing::internal::CaptureStderr();
  rig.raw(*client, {"HOTKEY", "DISABLE", "shop", "PX", "1000"});
  rig.raw(*client, {"HOTKEY", "DISABLE", "*"});
  rig.raw(*client, {"HOTKEY", "ENABLE", "shop"});
  rig.raw(*client, {"HOTKEY", "ENABLE", "*"});
  rig.raw(*client, {"HOTKEY", "ENABLE", "unseen"});
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "level=info event=disabled ns=shop until_unix_ms=" + std::to_string(rig.now.unix_ms + 1000) +
                "\nlevel=info event=disabled ns=*\nlevel=info event=enabled ns=shop\n"
                "level=info event=enabled ns=*\n");
}

TEST(Orders, RefuseWhatIsNoTimeAndNoKey) {
  ServerRig rig;
  const auto client = rig.connect();
  for (const std::string bad : {"0", "-1", "x", "", "9223372036854775807", "9223372036854775808"}) {
    EXPECT_TRUE(rig.raw(*client, {"HOTKEY", "PIN", "shop", "k", "PX", bad}).starts_with("-ERR ")) << bad;
    EXPECT_TRUE(rig.raw(*client, {"HOTKEY", "DISABLE", "shop", "PX", bad}).starts_with("-ERR ")) << bad;
  }
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "PIN", "shop", "k", "XX", "1000"}), "-ERR syntax error\r\n");
  for (const std::string order : {"PIN", "DENY", "INVALIDATE"}) {
    EXPECT_TRUE(rig.raw(*client, {"HOTKEY", order, "shop", ""}).starts_with("-ERR ")) << order;
    EXPECT_TRUE(rig.raw(*client, {"HOTKEY", order, "shop", std::string(65'537, 'x')}).starts_with("-ERR "))
        << order;
  }
  EXPECT_EQ(rig.detector.namespaces(), 0U);
}

TEST(Reload, SaysThatADaemonWithoutItNeedsARestart) {
  ServerRig rig;
  const auto client = rig.connect();
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "RELOAD"}),
            "-ERR this daemon reloads its configuration only by a restart\r\n");
}

TEST(LogLevel, IsHandedToTheDaemon) {
  ServerRig rig;
  LogLevel set = LogLevel::info;
  rig.hooks.set_log_level = [&](LogLevel level) { set = level; };
  const auto client = rig.connect();
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "LOGLEVEL", "error"}), "+OK\r\n");
  EXPECT_EQ(set, LogLevel::error);
  EXPECT_TRUE(rig.raw(*client, {"HOTKEY", "LOGLEVEL", "loud"}).starts_with("-ERR "));
}

// A key is any bytes; none may end a reply early or reach a client unescaped inside JSON.
TEST(HostileKeys, PassThroughEveryCommand) {
  const Words keys{std::string("a\0b", 3),
                   "a\r\n+OK\r\n",
                   "\"quoted\"",
                   "\x1b[31m",
                   "<script>",
                   "\xff\xfe",
                   "\xc2\x9b",
                   "%s%n{}",
                   std::string(1500, '\xff'),
                   "k|v\\"};
  ServerRig rig;
  const auto client = rig.connect();
  const auto subscriber = rig.connect();
  rig.raw(*subscriber, {"SUBSCRIBE", "hotkey:events:shop"});
  for (const std::string& key : keys) {
    EXPECT_EQ(rig.raw(*client, {"HOTKEY", "HIT", "shop", key, "100"}), ":100\r\n");
    EXPECT_EQ(rig.ask(*client, {"HOTKEY", "GET", "shop", key}).kind, RespValue::Kind::bulk);
    EXPECT_EQ(rig.raw(*client, {"HOTKEY", "PIN", "shop", key}), "+OK\r\n");
    EXPECT_EQ(rig.raw(*client, {"HOTKEY", "INVALIDATE", "shop", key}), ":1\r\n");
    EXPECT_EQ(rig.raw(*client, {"HOTKEY", "DENY", "shop", key}), "+OK\r\n");
    EXPECT_EQ(rig.raw(*client, {"HOTKEY", "ALLOW", "shop", key}), "+OK\r\n");
    EXPECT_EQ(rig.raw(*client, {"HOTKEY", "UNPIN", "shop", key}), "+OK\r\n");
    EXPECT_TRUE(rig.ask(*client, {"ECHO", key}).text == key);
    for (const RespValue& message : ServerRig::parse(rig.read(*subscriber))) {
      const auto event = decode_event(message.items[2].text);
      ASSERT_TRUE(event) << event.error();
      EXPECT_TRUE(event->key == key);
    }
  }
  EXPECT_EQ(rig.ask(*client, {"HOTKEY", "EPISODES", "shop", "100"}).items.size() % keys.size(), 0U);
}

}  // namespace
}  // namespace hotkeyd
