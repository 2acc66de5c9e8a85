// The publisher with a broken connection to a Redis that is well.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/publisher/fake_daemon.h"
#include "tests/publisher/stream_consumer.h"
#include "tests/support/eventually.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/redis_server.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;
using testing::CutBy;
using testing::eventually;
using testing::FakeDaemon;
using testing::FaultProxy;
using testing::hash_of;
using testing::RedisServer;
using testing::RespClient;
using testing::StreamConsumer;
using testing::Way;
using Keys = std::set<std::string>;

Endpoint free_endpoint() {
  Endpoint out;
  out.scheme = "tcp";
  out.host = "127.0.0.1";
  return out;
}

class RedisBehindProxy : public ::testing::Test {
 protected:
  // A key becomes hot, and is told: the hash and a consumer of the events come to hold the same.
  void promote(const std::string& key) {
    daemon_.promote("shop", key);
    keys_.insert(key);
  }
  bool heals() {
    RespClient client(redis_.port());
    return eventually([&] {
             Keys keys;
             for (const auto& [key, data] : hash_of(client, "shop")) keys.insert(key);
             return keys == keys_;
           }) &&
           consumer_.comes_to_hold(keys_) && eventually([&] { return daemon_.is_up(); });
  }
  Endpoint endpoint() {
    Endpoint out = redis_.endpoint();
    out.port = proxy_.endpoint().port;
    return out;
  }

  RedisServer redis_;
  FaultProxy proxy_{free_endpoint(), redis_.endpoint()};
  FakeDaemon daemon_{endpoint(), {.lease = 3s, .heartbeat = 100ms}};
  StreamConsumer consumer_{redis_.port(), "shop"};
  Keys keys_;
};

TEST_F(RedisBehindProxy, ATransactionCutAnywhere) {
  promote("first");
  ASSERT_TRUE(heals());
  std::uint64_t cuts = 0;
  for (const std::uint64_t offset :
       {1U, 400U, 1100U}) {  // The later ones fall into what follows a reconnect.
    proxy_.cut_after(Way::up, offset, CutBy::reset);
    promote("cut at " + std::to_string(offset));
    ++cuts;
    ASSERT_TRUE(eventually([&] { return proxy_.stats().cut == cuts; }));
  }
  EXPECT_TRUE(heals());
}

TEST_F(RedisBehindProxy, RepliesCutAnywhere) {
  promote("first");
  ASSERT_TRUE(heals());
  std::uint64_t cuts = 0;
  for (const std::uint64_t offset : {1U, 20U, 50U}) {
    proxy_.cut_after(Way::down, offset);
    promote("cut at " + std::to_string(offset));
    ++cuts;
    ASSERT_TRUE(eventually([&] { return proxy_.stats().cut == cuts; }));
  }
  EXPECT_TRUE(heals());
}

TEST_F(RedisBehindProxy, DelaysAndSingleBytes) {
  proxy_.delay(Way::both, 30ms);
  promote("delayed");
  EXPECT_TRUE(heals());
  proxy_.heal();
  proxy_.byte_at_a_time(Way::both);
  promote("in single bytes");
  EXPECT_TRUE(heals());
}

TEST_F(RedisBehindProxy, AStalledConnectionIsGivenUp) {
  promote("first");
  ASSERT_TRUE(heals());
  for (const Way way : {Way::up, Way::down}) {
    proxy_.stall(way);
    promote(way == Way::up ? "stalled up" : "stalled down");
    ASSERT_TRUE(eventually([&] { return !daemon_.is_up(); }));
    proxy_.heal();
    EXPECT_TRUE(heals());
  }
}

TEST_F(RedisBehindProxy, ResetsInEachDirection) {
  promote("first");
  ASSERT_TRUE(heals());
  for (const Way way : {Way::up, Way::down, Way::both}) {
    proxy_.reset(way);
    promote("reset " + std::to_string(static_cast<int>(way)));
    ASSERT_TRUE(eventually([&] { return !daemon_.is_up(); }));
  }
  EXPECT_TRUE(heals());
}

}  // namespace
}  // namespace hotkeyd
