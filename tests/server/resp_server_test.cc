#include "server/resp_server.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/server/loop_client.h"
#include "tests/support/detector_driver.h"
#include "tests/support/temp_folder.h"
#include "wire/event.h"

namespace hotkeyd {
namespace {

// A server on a socket of its own, driven by the tests' loop.
struct Running {
  explicit Running(std::size_t clients_max = 10'000)
      : detector(make_options({make_rule("rest", "*", 100)}), read_clocks()),
        server(io, options(folder.file("s"), clients_max), detector, {}) {
    const auto listening = server.listen();
    EXPECT_TRUE(listening) << listening.error();
    server.start();
  }

  static ServerOptions options(const std::string& path, std::size_t clients_max) {
    ServerOptions out;
    out.node = "web-17";
    out.epoch = 1;
    out.clients_max = clients_max;
    out.listen = {{*parse_endpoint("unix://" + path, "unix"), 0600, std::nullopt}};
    return out;
  }
  LoopClient connect() { return {io, folder.file("s")}; }
  std::unique_ptr<LoopClient> connect_one() { return std::make_unique<LoopClient>(io, folder.file("s")); }

  TempFolder folder;
  asio::io_context io;
  Detector detector;
  RespServer server;
};

std::string kinds(const std::vector<RespValue>& values) {
  std::string out;
  for (const RespValue& value : values)
    out += value.is_error() ? 'E' : value.kind == RespValue::Kind::integer ? 'i' : '+';
  return out;
}

TEST(RespServer, AnswersAPipelineInOrder) {
  Running running;
  LoopClient client = running.connect();
  std::string bytes;
  std::vector<std::string> expected;
  for (int i = 0; i < 1500; ++i) {
    const std::string number = std::to_string(i);
    append_command(bytes, {"ECHO", number});
    bytes += "NOSUCH\r\n";
    expected.push_back(number);
    expected.push_back("E");
  }
  client.send(bytes);
  std::vector<std::string> got;
  for (const RespValue& value : client.read(3000)) got.push_back(value.is_error() ? "E" : value.text);
  EXPECT_EQ(got, expected);
}

TEST(RespServer, UnderstandsARequestThatComesByteByByte) {
  Running running;
  LoopClient client = running.connect();
  std::string bytes;
  append_command(bytes,
                 {"HOTKEY", "REPORT", "shop", "app", "1", "1", "1", "a\r\nb", "60", "0", "0", "0", "0"});
  bytes += "PING\r\n";
  for (const char c : bytes) {
    client.send({&c, 1});
    running.io.restart();
    running.io.poll();
  }
  EXPECT_EQ(kinds(client.read(2)), "i+");
}

TEST(RespServer, TakesAFrameOfAlmostAMebibyteAndNoLarger) {
  Running running;
  LoopClient client = running.connect();
  const std::string large(1'000'000, 'x');
  EXPECT_TRUE(client.ask({"ECHO", large}).text == large);
  EXPECT_TRUE(client.ask({"ECHO", large}).text == large);
  const std::string too_large(1 << 20, 'x');
  EXPECT_TRUE(client.ask({"ECHO", too_large}).text.starts_with("ERR Protocol error"));
  EXPECT_TRUE(client.wait_closed());
}

TEST(RespServer, AnswersWhatWasSentBeforeTheEnd) {
  Running running;
  LoopClient client = running.connect();
  client.send("PING\r\nPING\r\nPI");
  client.stop_sending();
  EXPECT_EQ(client.read(2).size(), 2U);
  EXPECT_TRUE(client.wait_closed());
}

TEST(RespServer, ClosesAfterQuitAndAfterBrokenFraming) {
  Running running;
  for (const std::string_view bytes :
       {"QUIT\r\nPING\r\n", "*01\r\nPING\r\n", "*abc\r\nPING\r\n", "*1\r\n$-1\r\nPING\r\n",
        "ECHO \"abc\r\nPING\r\n", "*1\r\n:1\r\nPING\r\n", "*1\r\n$99999999999\r\nPING\r\n"}) {
    LoopClient client = running.connect();
    client.send(bytes);
    EXPECT_TRUE(client.wait_closed()) << bytes;
    EXPECT_EQ(client.read(2).size(), 1U) << bytes;
  }
}

TEST(RespServer, CutsAnHttpRequestOffBeforeItsBody) {
  Running running;
  LoopClient client = running.connect();
  client.send("POST / HTTP/1.1\r\nHost: localhost\r\n\r\nHOTKEY PIN shop evil\r\n");
  EXPECT_TRUE(client.wait_closed());
  EXPECT_EQ(client.read(1).size(), 0U);
  EXPECT_EQ(running.detector.namespaces(), 0U);
}

TEST(RespServer, DoesNotReadWhoDoesNotReadItsReplies) {
  Running running;
  LoopClient lazy = running.connect();
  std::string bytes;
  for (int i = 0; i < 20; ++i) append_command(bytes, {"ECHO", std::string(300'000, 'x')});
  lazy.send(bytes);
  LoopClient other = running.connect();
  for (int i = 0; i < 200; ++i) EXPECT_EQ(other.ask({"PING"}).text, "PONG");
  EXPECT_LT(running.server.stats().commands, 200U + 10);
  EXPECT_EQ(lazy.read(20).size(), 20U);
}

TEST(RespServer, TakesTurnsBetweenConnections) {
  Running running;
  LoopClient busy = running.connect();
  std::string bytes;
  for (int i = 0; i < 60'000; ++i) bytes += "PING\r\n";
  busy.send(bytes);
  LoopClient other = running.connect();
  EXPECT_EQ(other.ask({"PING"}).text, "PONG");
  EXPECT_LT(running.server.stats().commands, 60'000U);
  EXPECT_EQ(busy.read(60'000).size(), 60'000U);
}

TEST(RespServer, GoesOnWithAPipelineBehindASubscription) {
  Running running;
  LoopClient client = running.connect();
  client.send("HELLO 3\r\nSUBSCRIBE hotkey:events:a hotkey:events:b\r\nPING\r\nHOTKEY PIN a k\r\n");
  const auto values = client.read(8);
  ASSERT_EQ(values.size(), 8U);
  EXPECT_EQ(values[1].items[0].text, "subscribe");
  EXPECT_EQ(values[2].items[0].text, "subscribe");
  EXPECT_NE(values[3].items[2].text.find("hotkey.snapshot"), std::string::npos);
  EXPECT_NE(values[4].items[2].text.find("hotkey.snapshot"), std::string::npos);
  EXPECT_EQ(values[5].text, "PONG");
  EXPECT_NE(values[6].items[2].text.find("hotkey.promoted"), std::string::npos);
  EXPECT_EQ(values[7].text, "OK");
}

TEST(RespServer, CutsASubscriberThatDoesNotReadAndSparesTheOthers) {
  Running running;
  LoopClient slow = running.connect();
  LoopClient good = running.connect();
  slow.ask({"SUBSCRIBE", "hotkey:events:shop"});
  good.ask({"SUBSCRIBE", "hotkey:events:shop"});
  good.read(1);
  LoopClient client = running.connect();
  const std::string key(60'000, 'x');
  std::uint64_t expected = 0;
  while (running.server.stats().cut_subscribers == 0 && expected < 300) {
    ASSERT_EQ(client.ask({"HOTKEY", "INVALIDATE", "shop", key}).kind, RespValue::Kind::integer);
    for (bool told = false; !told;) {
      const auto messages = good.read(1);
      ASSERT_EQ(messages.size(), 1U);
      const auto event = decode_event(messages[0].items[2].text);
      told = event->type == EventType::invalidated;
      if (told) {
        EXPECT_EQ(event->seq, ++expected);
      }
    }
  }
  EXPECT_EQ(running.server.stats().cut_subscribers, 1U);
  EXPECT_TRUE(slow.wait_closed());
  EXPECT_LT(slow.received(), 1U << 20);
  EXPECT_TRUE(run_until(running.io, [&] { return running.server.stats().subscriptions == 1; }));
}

TEST(RespServer, RefusesClientsOverTheLimitAndCountsThem) {
  Running running(2);
  LoopClient one = running.connect();
  LoopClient two = running.connect();
  EXPECT_EQ(one.ask({"PING"}).text, "PONG");
  EXPECT_EQ(two.ask({"PING"}).text, "PONG");
  LoopClient three = running.connect();
  const auto refused = three.read(1);
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_EQ(refused[0].text, "ERR max number of clients reached");
  EXPECT_TRUE(three.wait_closed());
  EXPECT_EQ(running.server.stats().refused_clients, 1U);
  EXPECT_EQ(running.server.stats().clients, 2U);
}

// One of each kind of broken request, and pieces of whole ones.
std::vector<std::string> malformed_requests() {
  return {"*1\r\n$4\r\nPIN",
          "*-5\r\n",
          "*99999999999999999999\r\n",
          "*1048577\r\n",
          "*2\r\n$4\r\nECHO\r\n$abc\r\n",
          "*1\r\n$4\r\nPINGxx",
          "$5\r\nhello\r\n",
          std::string(70'000, 'a'),
          std::string("\0\0\0\r\n", 5),
          "\r\n\r\n\r\n",
          "*3\r\n$6\r\nHOTKEY\r\n$3\r\nHIT\r\n$4\r\n",
          "*1\r\n*1\r\n*1\r\n",
          "'unbalanced\r\n",
          "HOTKEY REPORT shop app 1 1 99999999999999999999 k\r\n",
          "HOTKEY REPORT shop app 1 1 1 k -1 0 0 0 0\r\n",
          "\xff\xfe\xfd\r\n",
          ">3\r\n$7\r\nmessage\r\n",
          "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
          "*65537\r\n",
          "*1\r\n$1048577\r\n"};
}

TEST(RespServer, SurvivesMalformedRequestsOfAThousandConnections) {
  Running running(2000);
  LoopClient witness = running.connect();
  const auto requests = malformed_requests();
  std::vector<std::unique_ptr<LoopClient>> open;
  for (std::size_t i = 0; i < 1000; ++i) {
    open.push_back(running.connect_one());
    open.back()->send(requests[i % requests.size()]);
    if (open.size() >=
        200) {  // Descriptors are few in a test; the oldest leaves in the middle of its request.
      EXPECT_EQ(witness.ask({"PING"}).text, "PONG");
      open.clear();
    }
  }
  open.clear();
  EXPECT_TRUE(run_until(running.io, [&] { return running.server.stats().clients == 1; }));
  EXPECT_GT(running.server.stats().protocol_errors, 0U);
  EXPECT_EQ(witness.ask({"PING"}).text, "PONG");
}

TEST(RespServer, DrainsWhenStopped) {
  Running running;
  LoopClient idle = running.connect();
  LoopClient subscriber = running.connect();
  LoopClient half = running.connect();
  EXPECT_EQ(idle.ask({"PING"}).text, "PONG");
  subscriber.ask({"SUBSCRIBE", "hotkey:events:shop"});
  half.send("*3\r\n$6\r\nHOTKEY\r\n");
  idle.ask({"HOTKEY", "PIN", "shop", "k"});
  bool done = false;
  running.server.stop([&] { done = true; });
  EXPECT_TRUE(run_until(running.io, [&] { return done; }));
  EXPECT_TRUE(idle.wait_closed());
  EXPECT_TRUE(half.wait_closed());
  EXPECT_TRUE(subscriber.wait_closed());
  EXPECT_FALSE(std::filesystem::exists(running.folder.file("s")));
  running.io.restart();
  running.io.run();  // Ends: nothing is left in the loop.
}

TEST(RespServer, StopsInTimeThoughSomebodyDoesNotRead) {
  Running running;
  LoopClient lazy = running.connect();
  std::string bytes;
  for (int i = 0; i < 8; ++i) append_command(bytes, {"ECHO", std::string(500'000, 'x')});
  lazy.send(bytes);
  EXPECT_TRUE(run_until(running.io, [&] { return lazy.all_sent() || running.server.stats().commands > 0; }));
  bool done = false;
  running.server.stop([&] { done = true; }, std::chrono::milliseconds{1});
  EXPECT_TRUE(run_until(running.io, [&] { return done; }));
}

TEST(RespServer, MayGoWhileTheLoopStillHoldsItsHandlers) {
  TempFolder folder;
  asio::io_context io;
  Detector detector(make_options({make_rule("rest", "*", 100)}), read_clocks());
  auto server =
      std::make_unique<RespServer>(io, Running::options(folder.file("s"), 100), detector, ServerHooks{});
  ASSERT_TRUE(server->listen());
  server->start();
  LoopClient client(io, folder.file("s"));
  EXPECT_EQ(client.ask({"PING"}).text, "PONG");
  client.ask({"SUBSCRIBE", "hotkey:events:shop"});
  client.send("PING\r\n");
  server.reset();
  io.restart();
  io.run();
  EXPECT_TRUE(client.wait_closed());
}

TEST(RespServer, BindsNothingWhenOneAddressIsTaken) {
  TempFolder folder;
  asio::io_context io;
  Detector detector(make_options({make_rule("rest", "*", 100)}), read_clocks());
  ServerOptions options = Running::options(folder.file("a"), 100);
  RespServer first(io, options, detector, {});
  ASSERT_TRUE(first.listen());
  options.listen.insert(options.listen.begin(),
                        {*parse_endpoint("unix://" + folder.file("b"), "unix"), 0600, std::nullopt});
  RespServer second(io, options, detector, {});
  const auto listening = second.listen();
  ASSERT_FALSE(listening);
  EXPECT_EQ(listening.error(), "unix://" + folder.file("a") + ": another process serves this socket");
  EXPECT_FALSE(std::filesystem::exists(folder.file("b")));
  EXPECT_TRUE(std::filesystem::exists(folder.file("a")));
}

}  // namespace
}  // namespace hotkeyd
