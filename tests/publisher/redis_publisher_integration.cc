#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "publisher/redis_transaction.h"
#include "tests/publisher/fake_daemon.h"
#include "tests/publisher/stream_consumer.h"
#include "tests/support/eventually.h"
#include "tests/support/redis_server.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using testing::eventually;
using testing::FakeDaemon;
using testing::hash_of;
using testing::RedisServer;
using testing::RespClient;
using testing::StreamConsumer;
using Keys = std::set<std::string>;

Keys keys_in_hash(RespClient& client, const std::string& ns, const std::string& node = "web-1") {
  Keys keys;
  for (const auto& [key, data] : hash_of(client, ns, node)) keys.insert(key);
  return keys;
}

TEST(RedisPublisher, MakesChannelHashAndSetSayTheHotSet) {
  RedisServer redis;
  FakeDaemon daemon(redis.endpoint());
  ASSERT_TRUE(comes_up(daemon));
  StreamConsumer consumer(redis.port(), "shop");
  for (const char* key : {"a", "b", "c"}) daemon.promote("shop", key);
  daemon.demote("shop", "b");
  EXPECT_TRUE(consumer.comes_to_hold({"a", "c"}));
  RespClient client(redis.port());
  EXPECT_TRUE(eventually([&] { return keys_in_hash(client, "shop") == Keys{"a", "c"}; }));
  EXPECT_THAT(client.command({"SMEMBERS", nodes_key("shop")}).items, ::testing::SizeIs(1));
  EXPECT_EQ(consumer.events()[0].type, EventType::snapshot);
  EXPECT_EQ(consumer.gaps(), 0);
}

TEST(RedisPublisher, CarriesKeysOfAnyBytes) {
  RedisServer redis;
  FakeDaemon daemon(redis.endpoint());
  const Keys keys = {std::string("\0\r\n\"\x1b\xff", 6), std::string(65'536, '\x01'), "{other}slot"};
  StreamConsumer consumer(redis.port(), "shop");
  for (const std::string& key : keys) daemon.promote("shop", key);
  EXPECT_TRUE(consumer.comes_to_hold(keys));
  RespClient client(redis.port());
  EXPECT_EQ(keys_in_hash(client, "shop"), keys);
}

TEST(RedisPublisher, TakesHashAndMembershipAwayWithTheLastHotKey) {
  RedisServer redis;
  FakeDaemon daemon(redis.endpoint());
  daemon.promote("shop", "a");
  RespClient client(redis.port());
  ASSERT_TRUE(eventually([&] { return keys_in_hash(client, "shop") == Keys{"a"}; }));
  daemon.demote("shop", "a");
  EXPECT_TRUE(eventually([&] { return client.command({"KEYS", "*"}).items.empty(); }));
}

TEST(RedisPublisher, LetsTheHashOfADeadNodeExpireAndRemovesItFromTheSet) {
  RedisServer redis;
  RespClient client(redis.port());
  client.command({"SADD", nodes_key("shop"), "dead"});
  FakeDaemon daemon(redis.endpoint(), {.lease = 900ms, .heartbeat = 100ms});
  daemon.promote("shop", "a");
  EXPECT_TRUE(eventually([&] {
    const auto members = client.command({"SMEMBERS", nodes_key("shop")}).items;
    return members.size() == 1 && members[0].text == "web-1";
  }));
  StreamConsumer consumer(redis.port(), "shop");
  EXPECT_TRUE(consumer.sees(EventType::heartbeat));
  EXPECT_TRUE(eventually([&] { return keys_in_hash(client, "shop") == Keys{"a"}; }));
  daemon.stop(10s);
  EXPECT_TRUE(eventually([&] {
    return client.command({"EXISTS", state_key("shop", "web-1")}).integer == 0;
  }));
}

TEST(RedisPublisher, PublishesAHotSetOfThousandsOfKeys) {
  RedisServer redis;
  FakeDaemon daemon(redis.endpoint());
  Keys keys;
  for (int number = 0; number < 10'000; ++number) keys.insert("product:" + std::to_string(number));
  for (const std::string& key : keys) daemon.promote("shop", key);
  StreamConsumer consumer(redis.port(), "shop");
  EXPECT_TRUE(consumer.comes_to_hold(keys));
  RespClient client(redis.port());
  EXPECT_TRUE(eventually([&] { return keys_in_hash(client, "shop") == keys; }));
}

TEST(RedisPublisher, RelaysInvalidationsOfOtherNodesOnly) {
  RedisServer redis;
  FakeDaemon one(redis.endpoint(), {.node = "one"});
  FakeDaemon two(redis.endpoint(), {.node = "two"});
  RespClient client(redis.port());
  one.promote("shop", "k");
  two.promote("shop", "k");
  ASSERT_TRUE(eventually([&] {
    return client.command({"PUBSUB", "NUMSUB", invalidated_channel("shop")}).items[1].integer == 2 &&
           one.is_up() && two.is_up();
  }));
  client.command({"PUBLISH", invalidated_channel("shop"), "no event at all"});
  one.invalidate("shop", "k");
  ASSERT_TRUE(eventually([&] { return two.relayed().size() == 1; }));
  two.invalidate("shop", "k");
  ASSERT_TRUE(eventually([&] { return one.relayed().size() == 1; }));
  EXPECT_EQ(decode_event(two.relayed()[0])->stream.node, "one");
  EXPECT_EQ(two.relayed().size(), 1U);
}

TEST(RedisPublisher, SendsWhatIsQueuedBeforeItStops) {
  RedisServer redis;
  FakeDaemon daemon(redis.endpoint());
  ASSERT_TRUE(comes_up(daemon));
  daemon.promote("shop", "first");
  RespClient client(redis.port());
  ASSERT_TRUE(eventually([&] { return keys_in_hash(client, "shop") == Keys{"first"}; }));
  daemon.promote("shop", "last");
  EXPECT_TRUE(daemon.stop(10s));
  EXPECT_EQ(keys_in_hash(client, "shop"), (Keys{"first", "last"}));
}

TEST(RedisPublisher, StopsWithoutAServerAtOnceAndWithAPausedOneByItsDeadline) {
  RedisServer absent({}, RedisServer::Start::later);
  FakeDaemon lonely(absent.endpoint());
  lonely.promote("shop", "a");
  EXPECT_TRUE(lonely.stop(10s));

  RedisServer redis;
  FakeDaemon daemon(redis.endpoint());
  daemon.promote("shop", "a");
  ASSERT_TRUE(comes_up(daemon));
  redis.pause();
  daemon.promote("shop", "b");
  EXPECT_FALSE(daemon.stop(50ms));
}

}  // namespace
}  // namespace hotkeyd
