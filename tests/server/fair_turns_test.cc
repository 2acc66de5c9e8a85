// How much one connection, or many that ask for much, can put between the others and their turn: counted in
// bytes, never in time.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "server/resp_server.h"
#include "server/session.h"
#include "tests/server/loop_client.h"
#include "tests/support/detector_driver.h"
#include "tests/support/temp_folder.h"

namespace hotkeyd {
namespace {

using Clients = std::vector<std::unique_ptr<LoopClient>>;

struct Crowd {
  Crowd() : detector(make_options({make_rule("rest", "*", 100)}), read_clocks()) {
    ServerOptions options;
    options.node = "web-17";
    options.epoch = 1;
    options.listen = {{*parse_endpoint("unix://" + folder.file("s"), "unix"), 0600, std::nullopt}};
    server = std::make_unique<RespServer>(io, options, detector, ServerHooks{});
    EXPECT_TRUE(server->listen());
    server->start();
  }

  std::unique_ptr<LoopClient> connect() {
    auto client = std::make_unique<LoopClient>(io, folder.file("s"));
    EXPECT_EQ(client->ask({"PING"}).text, "PONG");
    return client;
  }
  Clients connect(std::size_t size) {
    Clients out;
    for (std::size_t i = 0; i < size; ++i) out.push_back(connect());
    return out;
  }
  // Runs one handler of the loop: one turn.
  void turn() {
    io.restart();
    io.run_one_for(std::chrono::milliseconds{20});
  }

  TempFolder folder;
  asio::io_context io;
  Detector detector;
  std::unique_ptr<RespServer> server;
};

std::size_t unread(const Clients& clients) {
  std::size_t sum = 0;
  for (const auto& client : clients) sum += client->unread();
  return sum;
}

void pin_many(LoopClient& client, int keys) {
  for (int i = 0; i < keys; ++i) {
    EXPECT_EQ(client.ask({"HOTKEY", "PIN", "shop", std::string(600, 'x') + std::to_string(i)}).text, "OK");
  }
}

TEST(FairTurns, OfManySnapshotsLetOthersBeAnsweredBetweenThem) {
  constexpr std::size_t kPartMax = 512U << 10;
  Crowd crowd;
  const auto other = crowd.connect();
  pin_many(*other, 100);  // Snapshots of about 120 KB.
  const Clients subscribers = crowd.connect(40);
  for (const auto& subscriber : subscribers) subscriber->send({"PSUBSCRIBE", "hotkey:events:*"});
  other->send({"PING"});
  std::size_t before = 0;
  for (bool answered = false; unread(subscribers) < subscribers.size() * (100U << 10);) {
    crowd.turn();
    const std::size_t now = unread(subscribers);
    ASSERT_LE(now - before, SessionsShared::kFlushMax + kPartMax);
    if (!answered && other->unread() > 0) {
      answered = true;
      EXPECT_LE(now, 2 * (SessionsShared::kFlushMax + kPartMax));
    }
    before = now;
  }
  EXPECT_GT(other->unread(), 0U);
  for (const auto& subscriber : subscribers) EXPECT_EQ(subscriber->read(2).size(), 2U);
}

TEST(FairTurns, WriteNoMoreThanAMebibyteOfEventsEach) {
  Crowd crowd;
  const auto other = crowd.connect();
  const Clients subscribers = crowd.connect(40);
  for (const auto& subscriber : subscribers) {
    subscriber->send({"SUBSCRIBE", "hotkey:events:shop"});
    subscriber->read(2);
  }
  const std::string key(40'000, 'x');
  other->send({"HOTKEY", "INVALIDATE", "shop", key});
  std::size_t before = 0;
  for (std::size_t events = 0; events < subscribers.size();) {
    crowd.turn();
    const std::size_t now = unread(subscribers);
    ASSERT_LE(now - before, SessionsShared::kFlushMax + 4 * key.size());
    before = now;
    events = 0;
    for (const auto& subscriber : subscribers) events += subscriber->unread() > key.size() ? 1U : 0U;
  }
}

TEST(FairTurns, GoOnReadingWhoseRepliesHadToWait) {
  Crowd crowd;
  const Clients clients = crowd.connect(20);
  std::string bytes;
  for (int i = 0; i < 6; ++i) append_command(bytes, {"ECHO", std::string(200'000, 'x')});
  append_command(bytes, {"PING"});
  for (const auto& client : clients) client->send(bytes);
  for (const auto& client : clients) {
    const auto values = client->read(7);
    ASSERT_EQ(values.size(), 7U);
    EXPECT_EQ(values.back().text, "PONG");
  }
}

}  // namespace
}  // namespace hotkeyd
