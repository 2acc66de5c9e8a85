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
using ::testing::AnyOf;
using testing::eventually;
using testing::FakeDaemon;
using testing::hash_of;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RedisServer;
using testing::RespClient;
using testing::StreamConsumer;
using Keys = std::set<std::string>;

bool hash_becomes(const RedisServer& redis, const Keys& expected, const std::string& database = "0",
                  const std::string& password = "") {
  RespClient client(redis.port());
  if (!password.empty()) client.command({"AUTH", password});
  if (database != "0") client.command({"SELECT", database});
  return eventually([&] {
    Keys keys;
    for (const auto& [key, data] : hash_of(client, "shop")) keys.insert(key);
    return keys == expected;
  });
}

bool state_becomes(const FakeDaemon& daemon, const std::string& word) {
  return eventually([&] { return daemon.stats().state.find(word) != std::string::npos; });
}

TEST(RedisFaults, AbsentAtTheStart) {
  RedisServer redis({}, RedisServer::Start::later);
  FakeDaemon daemon(redis.endpoint());
  daemon.promote("shop", "a");
  ASSERT_TRUE(state_becomes(daemon, "connection refused; next try in "));
  EXPECT_FALSE(daemon.is_up());
  redis.start();
  StreamConsumer consumer(redis.port(), "shop");
  EXPECT_TRUE(consumer.comes_to_hold({"a"}));
  EXPECT_TRUE(hash_becomes(redis, {"a"}));
  EXPECT_TRUE(comes_up(daemon));
}

TEST(RedisFaults, KilledAndBackEmpty) {
  RedisServer redis;
  FakeDaemon daemon(redis.endpoint());
  daemon.promote("shop", "before");
  ASSERT_TRUE(hash_becomes(redis, {"before"}) && comes_up(daemon));
  redis.kill();
  daemon.promote("shop", "during");
  daemon.invalidate("shop", "stale");
  ASSERT_TRUE(eventually([&] { return !daemon.is_up(); }));
  redis.start();
  StreamConsumer consumer(redis.port(), "shop");
  EXPECT_TRUE(consumer.comes_to_hold({"before", "during"}));
  EXPECT_TRUE(consumer.sees(EventType::invalidated, "stale"));
  EXPECT_TRUE(hash_becomes(redis, {"before", "during"}));
  daemon.promote("shop", "after");
  EXPECT_TRUE(consumer.comes_to_hold({"before", "during", "after"}));
}

TEST(RedisFaults, PausedAndResumed) {
  RedisServer redis;
  FakeDaemon daemon(redis.endpoint());
  daemon.promote("shop", "a");
  ASSERT_TRUE(hash_becomes(redis, {"a"}) && comes_up(daemon));
  StreamConsumer consumer(redis.port(), "shop");
  redis.pause();
  daemon.promote("shop", "b");
  daemon.invalidate("shop", "c");
  ASSERT_TRUE(eventually([&] { return !daemon.is_up(); }));
  EXPECT_GE(daemon.stats().failed_events["timeout"], 1U);
  daemon.promote("shop", "d");
  redis.resume();
  EXPECT_TRUE(consumer.comes_to_hold({"a", "b", "d"}));
  EXPECT_TRUE(consumer.sees(EventType::invalidated, "c"));
  EXPECT_TRUE(hash_becomes(redis, {"a", "b", "d"}));
}

TEST(RedisFaults, OnlyTheConnectionIsLost) {
  RedisServer redis;
  FakeDaemon daemon(redis.endpoint());
  daemon.promote("shop", "a");
  ASSERT_TRUE(hash_becomes(redis, {"a"}) && comes_up(daemon));
  RespClient(redis.port()).command({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
  StreamConsumer after(redis.port(), "shop");
  EXPECT_TRUE(after.sees(EventType::snapshot));
  EXPECT_TRUE(comes_up(daemon));
}

TEST(RedisFaults, Flushed) {
  RedisServer redis;
  FakeDaemon daemon(redis.endpoint(), {.lease = 1s, .heartbeat = 100ms});
  daemon.promote("shop", "a");
  daemon.promote("shop", "b");
  ASSERT_TRUE(hash_becomes(redis, {"a", "b"}) && comes_up(daemon));
  StreamConsumer consumer(redis.port(), "shop");
  RespClient client(redis.port());
  client.command({"FLUSHALL"});
  EXPECT_TRUE(hash_becomes(redis, {"a", "b"}));
  EXPECT_TRUE(consumer.sees(EventType::snapshot));
  EXPECT_TRUE(consumer.comes_to_hold({"a", "b"}));
  EXPECT_EQ(client.command({"SMEMBERS", nodes_key("shop")}).items.size(), 1U);
  EXPECT_TRUE(daemon.is_up());
}

TEST(RedisFaults, ASetOfTheWrongTypeLeavesEventsAndHashAlone) {
  RedisServer redis;
  RespClient(redis.port()).command({"SET", nodes_key("shop"), "not a set"});
  FakeDaemon daemon(redis.endpoint());
  ASSERT_TRUE(comes_up(daemon));
  StreamConsumer consumer(redis.port(), "shop");
  ::testing::internal::CaptureStderr();
  for (int number = 0; number < 10; ++number) {
    daemon.promote("shop", "k" + std::to_string(number));
    EXPECT_TRUE(eventually([&] {
      return hash_of(*std::make_unique<RespClient>(redis.port()), "shop").size() ==
             static_cast<std::size_t>(number) + 1;
    }));
  }
  EXPECT_TRUE(consumer.sees(EventType::promoted, "k9"));
  const std::string log = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("WRONGTYPE"));
  EXPECT_EQ(log.find("WRONGTYPE"), log.rfind("WRONGTYPE"));
}

TEST(RedisFaults, AHashOfTheWrongTypeIsWrittenAnew) {
  RedisServer redis;
  RespClient client(redis.port());
  client.command({"SET", state_key("shop", "web-1"), "not a hash"});
  FakeDaemon daemon(redis.endpoint());
  daemon.promote("shop", "a");
  ASSERT_TRUE(hash_becomes(redis, {"a"}));
  client.command({"SET", state_key("shop", "web-1"), "not a hash"});
  daemon.promote("shop", "b");
  EXPECT_TRUE(hash_becomes(redis, {"a", "b"}));
}

TEST(RedisFaults, AWrongPasswordIsNamedAndNotShown) {
  RedisServer redis({"requirepass right"});
  for (const char* login : {"", ":wr0ng@"}) {
    ::testing::internal::CaptureStderr();
    {
      FakeDaemon daemon(redis.endpoint(login));
      daemon.promote("shop", "a");
      EXPECT_TRUE(state_becomes(daemon, *login == 0 ? "NOAUTH" : "WRONGPASS"));
      EXPECT_FALSE(daemon.is_up());
      EXPECT_THAT(daemon.stats().state, Not(HasSubstr("wr0ng")));
    }
    const std::string log = ::testing::internal::GetCapturedStderr();
    EXPECT_THAT(log, AnyOf(HasSubstr("NOAUTH"), HasSubstr("WRONGPASS")));
    EXPECT_THAT(log, Not(HasSubstr("wr0ng")));
  }
}

TEST(RedisFaults, APasswordAndADatabase) {
  RedisServer redis({"requirepass right"});
  FakeDaemon daemon(redis.endpoint(":right@", "/3"));
  daemon.promote("shop", "a");
  EXPECT_TRUE(hash_becomes(redis, {"a"}, "3", "right"));
  EXPECT_TRUE(hash_becomes(redis, {}, "0", "right"));
}

TEST(RedisFaults, AnAclUserThatMayTouchNothingElse) {
  RedisServer redis({"user app on >s3cr3t ~hotkey:* &hotkey:* +@all"});
  FakeDaemon daemon(redis.endpoint("app:s3cr3t@"));
  daemon.promote("shop", "a");
  EXPECT_TRUE(hash_becomes(redis, {"a"}));
  RespClient client(redis.port());
  EXPECT_TRUE(eventually([&] {
    return client.command({"PUBSUB", "NUMSUB", invalidated_channel("shop")}).items[1].integer == 1;
  }));
}

TEST(RedisFaults, AnAclUserWithTheCommandsThatAreNeeded) {
  RedisServer redis(
      {"user app on >s3cr3t ~hotkey:{shop}:* &hotkey:* -@all +exists +hset +hdel +del +sadd +srem +publish "
       "+pexpire "
       "+multi +exec"});
  FakeDaemon daemon(redis.endpoint("app:s3cr3t@"));
  daemon.promote("shop", "a");
  EXPECT_TRUE(hash_becomes(redis, {"a"}));
  EXPECT_TRUE(comes_up(daemon));
}

TEST(RedisFaults, OneNamespaceForbiddenLeavesTheOthersAlone) {
  RedisServer redis({"user app on >s3cr3t ~hotkey:{shop}:* &hotkey:* +@all"});
  FakeDaemon daemon(redis.endpoint("app:s3cr3t@"));
  daemon.promote("forbidden", "x");
  ASSERT_TRUE(state_becomes(daemon, "NOPERM"));
  daemon.promote("shop", "a");
  EXPECT_TRUE(hash_becomes(redis, {"a"}));
  EXPECT_FALSE(daemon.is_up());
}

TEST(RedisFaults, AUnixSocket) {
  RedisServer redis;
  FakeDaemon daemon(redis.unix_endpoint());
  daemon.promote("shop", "a");
  EXPECT_TRUE(hash_becomes(redis, {"a"}));
}

TEST(RedisFaults, AClusterTakesEveryTransaction) {
  RedisServer redis({"cluster-enabled yes", "cluster-port " + std::to_string(testing::free_port())});
  RespClient client(redis.port());
  client.command({"CLUSTER", "ADDSLOTSRANGE", "0", "16383"});
  ASSERT_TRUE(eventually([&] {
    return client.command({"CLUSTER", "INFO"}).text.find("cluster_state:ok") != std::string::npos;
  }));
  FakeDaemon daemon(redis.endpoint());
  for (const char* ns : {"shop", "search", "a.b-c_d"}) {
    daemon.promote(ns, "{other}slot");
    daemon.invalidate(ns, "k");
  }
  ASSERT_TRUE(comes_up(daemon));
  for (const char* ns : {"shop", "search", "a.b-c_d"}) {
    EXPECT_TRUE(eventually([&] { return hash_of(client, ns).contains("{other}slot"); })) << ns;
  }
  EXPECT_EQ(daemon.stats().failed_events["refused_by_server"], 0U);
}

TEST(RedisFaults, ANodeOfAClusterThatOwnsNoSlotIsNamed) {
  RedisServer redis({"cluster-enabled yes", "cluster-port " + std::to_string(testing::free_port())});
  FakeDaemon daemon(redis.endpoint());
  daemon.promote("shop", "a");
  EXPECT_TRUE(state_becomes(daemon, "CLUSTERDOWN"));
  EXPECT_FALSE(daemon.is_up());
}

TEST(RedisFaults, AReadOnlyReplicaIsNamedAndAPrimaryInItsPlaceTakenAtOnce) {
  RedisServer redis({"replicaof 127.0.0.1 " + std::to_string(testing::free_port())});
  FakeDaemon daemon(redis.endpoint());
  daemon.promote("shop", "a");
  ASSERT_TRUE(state_becomes(daemon, "READONLY"));
  EXPECT_FALSE(daemon.is_up());
  RespClient(redis.port()).command({"REPLICAOF", "NO", "ONE"});
  EXPECT_TRUE(hash_becomes(redis, {"a"}));
}

TEST(RedisFaults, AFullRedisIsNamedAndHealsWhenThereIsRoom) {
  RedisServer redis({"maxmemory-policy noeviction"});
  FakeDaemon daemon(redis.endpoint());
  daemon.promote("shop", "a");
  ASSERT_TRUE(hash_becomes(redis, {"a"}) && comes_up(daemon));
  RespClient client(redis.port());
  client.command({"CONFIG", "SET", "maxmemory", "1"});
  daemon.promote("shop", "b");
  ASSERT_TRUE(state_becomes(daemon, "OOM"));
  client.command({"CONFIG", "SET", "maxmemory", "0"});
  EXPECT_TRUE(hash_becomes(redis, {"a", "b"}));
  EXPECT_TRUE(comes_up(daemon));
}

}  // namespace
}  // namespace hotkeyd
