#include "server/deferred_reply.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "server/resp_server.h"
#include "tests/server/loop_client.h"
#include "tests/server/server_rig.h"
#include "tests/support/temp_folder.h"

namespace hotkeyd {
namespace {

using Saved = std::function<void(Result<void>)>;

TEST(DeferredReply, ComesWithTheAnswerAndOnlyOnce) {
  ServerRig rig;
  const auto client = rig.connect();
  std::vector<Saved> waiting;
  rig.hooks.orders_changed = [&](Saved saved) { waiting.push_back(std::move(saved)); };

  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "PIN", "shop", "k"}), "");
  EXPECT_TRUE(client->reply_waits());
  EXPECT_EQ(rig.detector.hot_keys(0).size(), 1U);  // The order applies at once.
  ASSERT_EQ(waiting.size(), 1U);
  waiting[0]({});
  EXPECT_EQ(rig.read(*client), "+OK\r\n");
  EXPECT_FALSE(client->reply_waits());
  waiting[0](Error{"late"});
  EXPECT_EQ(rig.read(*client), "");
}

TEST(DeferredReply, OfEveryOrderSaysThatItHoldsAlsoWhereItIsNotSaved) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.hooks.orders_changed = [](const Saved& saved) { saved(Error{"disk full"}); };
  for (const std::vector<std::string>& order : std::vector<std::vector<std::string>>{{"PIN", "shop", "k"},
                                                                                     {"UNPIN", "shop", "k"},
                                                                                     {"DENY", "shop", "k"},
                                                                                     {"ALLOW", "shop", "k"},
                                                                                     {"DISABLE", "shop"},
                                                                                     {"ENABLE", "shop"},
                                                                                     {"DISABLE", "*"},
                                                                                     {"ENABLE", "*"}}) {
    std::vector<std::string> words{"HOTKEY"};
    words.insert(words.end(), order.begin(), order.end());
    EXPECT_EQ(rig.raw(*client, words), "-ERR applied, but not saved: disk full\r\n") << order[0];
  }
}

TEST(DeferredReply, IsNotAskedForWhereAnOrderIsRefused) {
  ServerRig rig;
  const auto client = rig.connect();
  int asked = 0;
  rig.hooks.orders_changed = [&](const Saved&) { ++asked; };
  EXPECT_TRUE(rig.raw(*client, {"HOTKEY", "PIN", "shop", "k", "PX", "0"}).starts_with("-ERR invalid"));
  EXPECT_TRUE(rig.raw(*client, {"HOTKEY", "PIN", "shop", ""}).starts_with("-ERR the key is empty"));
  EXPECT_TRUE(rig.raw(*client, {"HOTKEY", "UNPIN", "sh op", "k"}).starts_with("-ERR invalid namespace"));
  EXPECT_EQ(asked, 0);
}

TEST(DeferredReply, DestroyedUnansweredAnswersAnError) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.hooks.reload = [](const DeferredReply&) {};
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "RELOAD"}),
            "-ERR the command was given up before it had an answer\r\n");
  EXPECT_FALSE(client->reply_waits());
}

TEST(DeferredReply, ToAConnectionThatIsGoneDoesNothing) {
  ServerRig rig;
  auto client = rig.connect();
  std::vector<DeferredReply> kept;
  rig.hooks.reload = [&](DeferredReply reply) { kept.push_back(std::move(reply)); };
  rig.raw(*client, {"HOTKEY", "RELOAD"});
  client.reset();
  kept[0].ok();
  kept.clear();
}

TEST(DeferredReply, MovesOntoAnotherWhichIsAnsweredFirst) {
  ServerRig rig;
  const auto first = rig.connect();
  const auto second = rig.connect();
  DeferredReply reply = defer_reply(*first);
  reply = defer_reply(*second);
  EXPECT_TRUE(rig.read(*first).starts_with("-ERR the command was given up"));
  reply.ok();
  EXPECT_EQ(rig.read(*second), "+OK\r\n");
}

TEST(DeferredReply, KeepsTheSilenceOfItsCommand) {
  ServerRig rig;
  const auto client = rig.connect();
  std::vector<DeferredReply> kept;
  rig.hooks.reload = [&](DeferredReply reply) { kept.push_back(std::move(reply)); };
  rig.raw(*client, {"CLIENT", "REPLY", "SKIP"});
  rig.raw(*client, {"HOTKEY", "RELOAD"});
  EXPECT_TRUE(client->reply_waits());
  kept[0].ok();
  EXPECT_EQ(rig.read(*client), "");
  EXPECT_EQ(rig.raw(*client, {"PING"}), "+PONG\r\n");

  rig.raw(*client, {"CLIENT", "REPLY", "OFF"});
  rig.raw(*client, {"HOTKEY", "RELOAD"});
  kept[1].error("ERR no");
  EXPECT_EQ(rig.read(*client), "");
  EXPECT_EQ(rig.raw(*client, {"CLIENT", "REPLY", "ON"}), "+OK\r\n");
}

// A server whose reloads and orders are answered by the test.
struct DeferringServer {
  DeferringServer()
      : detector(make_options({make_rule("rest", "*", 100)}), read_clocks()),
        server(io, options(folder.file("s")), detector, server_hooks()) {
    const auto listening = server.listen();
    EXPECT_TRUE(listening) << listening.error();
    server.start();
  }

  static ServerOptions options(const std::string& path) {
    ServerOptions out;
    out.node = "web-17";
    out.epoch = 1;
    out.listen = {{*parse_endpoint("unix://" + path, "unix"), 0600, std::nullopt}};
    return out;
  }
  ServerHooks server_hooks() {
    ServerHooks hooks;
    hooks.reload = [this](DeferredReply reply) { kept.push_back(std::move(reply)); };
    hooks.orders_changed = [this](Saved saved) { orders.push_back(std::move(saved)); };
    return hooks;
  }
  LoopClient connect() { return {io, folder.file("s")}; }
  bool wait_kept(std::size_t count) {
    return run_until(io, [&] { return kept.size() >= count; });
  }

  TempFolder folder;
  asio::io_context io;
  std::vector<DeferredReply> kept;
  std::vector<Saved> orders;
  Detector detector;
  RespServer server;
};

TEST(DeferredReply, HoldsBackWhatIsPipelinedBehindIt) {
  DeferringServer running;
  LoopClient client = running.connect();
  LoopClient other = running.connect();
  client.send("ECHO 1\r\nHOTKEY RELOAD\r\nECHO 2\r\nHOTKEY RELOAD\r\nECHO 3\r\n");
  ASSERT_TRUE(running.wait_kept(1));
  EXPECT_EQ(client.read(1)[0].text, "1");
  EXPECT_EQ(other.ask({"PING"}).text, "PONG");  // Only this connection waits.
  client.send("ECHO 4\r\n");
  EXPECT_EQ(other.ask({"PING"}).text, "PONG");
  EXPECT_EQ(client.poll().size(), 0U);
  EXPECT_EQ(running.kept.size(), 1U);

  running.kept[0].ok();
  ASSERT_TRUE(running.wait_kept(2));
  running.kept[1].error("ERR no");
  std::vector<std::string> got;
  for (const RespValue& value : client.read(5)) got.push_back(value.text);
  EXPECT_EQ(got, (std::vector<std::string>{"OK", "2", "ERR no", "3", "4"}));
}

std::vector<std::string> texts(const std::vector<RespValue>& values) {
  std::vector<std::string> out;
  for (const RespValue& value : values) out.push_back(value.text);
  return out;
}

TEST(DeferredReply, OfOrdersLetsFurtherOrdersRun) {
  DeferringServer running;
  LoopClient client = running.connect();
  client.send(
      "HOTKEY PIN shop a\r\nHOTKEY PIN shop\r\nHOTKEY DENY shop c\r\nHOTKEY DISABLE *\r\nECHO 1\r\n"
      "HOTKEY PIN shop d\r\n");
  ASSERT_TRUE(run_until(running.io, [&] { return running.orders.size() == 3; }));
  LoopClient other = running.connect();
  EXPECT_EQ(other.ask({"PING"}).text, "PONG");
  EXPECT_EQ(running.orders.size(), 3U);   // ECHO waits, and so does what is behind it.
  running.orders[2](Error{"disk full"});  // The answers may come in any order.
  running.orders[1]({});
  EXPECT_EQ(other.ask({"PING"}).text, "PONG");
  EXPECT_EQ(client.poll().size(), 0U);
  running.orders[0]({});
  EXPECT_EQ(texts(client.read(5)),
            (std::vector<std::string>{"OK", "ERR wrong number of arguments for 'hotkey|pin' command", "OK",
                                      "ERR applied, but not saved: disk full", "1"}));
  ASSERT_TRUE(run_until(running.io, [&] { return running.orders.size() == 4; }));
  running.orders[3]({});
  EXPECT_EQ(texts(client.read(1)), std::vector<std::string>{"OK"});
}

TEST(DeferredReply, OfOrdersIsBoundedPerConnection) {
  DeferringServer running;
  LoopClient client = running.connect();
  std::string bytes;
  for (int i = 0; i < 600; ++i) append_command(bytes, {"HOTKEY", "UNPIN", "shop", std::to_string(i)});
  client.send(bytes);
  ASSERT_TRUE(run_until(running.io, [&] { return running.orders.size() == ReplyQueue::kJoinedMax; }));
  LoopClient other = running.connect();
  EXPECT_EQ(other.ask({"PING"}).text, "PONG");
  EXPECT_EQ(running.orders.size(), ReplyQueue::kJoinedMax);
  for (std::size_t i = 0; i < 600; ++i) {
    ASSERT_TRUE(run_until(running.io, [&] { return running.orders.size() > i; }));
    running.orders[i]({});
  }
  EXPECT_EQ(client.read(600).size(), 600U);
}

TEST(DeferredReply, ComesBeforeTheEndOfItsConnection) {
  for (const std::string end : {"", "*abc\r\n", "QUIT\r\n"}) {
    DeferringServer running;
    LoopClient client = running.connect();
    client.send("HOTKEY PIN shop a\r\nHOTKEY PIN shop b\r\n" + end);
    client.stop_sending();
    ASSERT_TRUE(run_until(running.io, [&] { return running.orders.size() == 2; }));
    LoopClient other = running.connect();
    EXPECT_EQ(other.ask({"PING"}).text, "PONG");
    EXPECT_FALSE(client.is_closed()) << end;
    for (const Saved& saved : running.orders) saved({});
    EXPECT_TRUE(client.wait_closed());
    const auto got = client.read(3);
    ASSERT_EQ(got.size(), end.empty() ? 2U : 3U) << end;
    EXPECT_EQ(got[1].text, "OK");
    if (end.starts_with("*")) {
      EXPECT_TRUE(got[2].is_error());
    }
  }
}

TEST(DeferredReply, LetsEventsPass) {
  DeferringServer running;
  LoopClient client = running.connect();
  LoopClient other = running.connect();
  client.send("HELLO 3\r\nSUBSCRIBE hotkey:events:shop\r\n");
  client.read(3);  // HELLO, the confirmation, the snapshot.
  client.send("HOTKEY RELOAD\r\nECHO 1\r\n");
  ASSERT_TRUE(running.wait_kept(1));
  EXPECT_EQ(other.ask({"HOTKEY", "INVALIDATE", "shop", "k"}).integer, 1);
  const auto pushed = client.read(1);
  ASSERT_EQ(pushed.size(), 1U);
  EXPECT_NE(pushed[0].items.back().text.find("hotkey.invalidated"), std::string::npos);
  running.kept[0].ok();
  std::vector<std::string> got;
  while (got.size() < 2) {
    for (const RespValue& value : client.read(1)) {
      if (value.items.empty()) got.push_back(value.text);  // Heartbeats may come between.
    }
  }
  EXPECT_EQ(got, (std::vector<std::string>{"OK", "1"}));
}

TEST(DeferredReply, OutlivesItsConnectionAndItsServer) {
  std::vector<DeferredReply> kept;
  {
    DeferringServer running;
    {
      LoopClient client = running.connect();
      client.send("HOTKEY RELOAD\r\nPING\r\n");
      ASSERT_TRUE(running.wait_kept(1));
    }
    LoopClient other = running.connect();
    other.send("HOTKEY RELOAD\r\n");
    ASSERT_TRUE(running.wait_kept(2));
    running.kept[0].ok();
    EXPECT_TRUE(run_until(running.io, [&] { return running.server.stats().clients == 1; }));
    kept = std::move(running.kept);
  }
  kept[1].ok();
}

TEST(DeferredReply, IsWaitedForByTheDrain) {
  DeferringServer running;
  LoopClient client = running.connect();
  client.send("HOTKEY RELOAD\r\nECHO 1\r\n");
  ASSERT_TRUE(running.wait_kept(1));
  bool stopped = false;
  running.server.stop([&] { stopped = true; }, std::chrono::seconds{60});
  for (int turn = 0; turn < 100; ++turn) running.io.poll();
  EXPECT_FALSE(stopped);
  running.kept[0].ok();
  EXPECT_TRUE(run_until(running.io, [&] { return stopped; }));
  std::vector<std::string> got;
  for (const RespValue& value : client.read(2)) got.push_back(value.text);
  EXPECT_EQ(got, (std::vector<std::string>{"OK", "1"}));
}

}  // namespace
}  // namespace hotkeyd
