#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "publisher/redis_plan.h"
#include "tests/publisher/plan_rig.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Counts = std::map<std::string, std::uint64_t>;

std::ptrdiff_t count_of(const std::vector<std::string>& actions, const std::string& start) {
  return std::count_if(actions.begin(), actions.end(),
                       [&](const auto& action) { return action.starts_with(start); });
}

TEST(RedisPlan, SendsUnacknowledgedInvalidationsAgainAndHealsTheRestByASnapshot) {
  PlanRig rig;
  rig.come_up();
  rig.offer(promoted(4));
  rig.offer(invalidated(5));
  rig.offer(promoted(6));
  rig.did();
  rig.lose();
  EXPECT_FALSE(rig.plan.stats().up);
  EXPECT_EQ(rig.plan.stats().failed_events, (Counts{{"connection", 2}}));
  rig.offer(promoted(7));
  rig.offer(invalidated(8));
  EXPECT_EQ(rig.plan.stats().failed_events, (Counts{{"connection", 3}}));
  rig.live(1s);
  rig.plan.connected(rig.now.steady);
  rig.live(3s);
  rig.offer(snapshot_of("shop", 8, 1));
  EXPECT_THAT(rig.did(), Contains("send EXISTS DEL HSET SADD snapshot8 shop5 shop8 PEXPIRE"));
  rig.accept_all();
  EXPECT_TRUE(rig.plan.stats().up);
  EXPECT_EQ(rig.plan.stats().queue_events, 0U);
}

TEST(RedisPlan, CountsWhatATimeoutCostsAsTimeout) {
  PlanRig rig;
  rig.come_up();
  rig.offer(promoted(4));
  rig.did();
  rig.lose(RedisFailure::timeout, "no reply");
  EXPECT_EQ(rig.plan.stats().failed_events, (Counts{{"timeout", 1}}));
}

TEST(RedisPlan, BacksOffWhileNobodyAnswersAndLogsItOnceInTenSeconds) {
  PlanRig rig;
  std::vector<std::string> all;
  const Time end = rig.now.steady + 60s;
  while (rig.now.steady < end) {
    for (auto& action : rig.did()) {
      if (action == "open") rig.lose(RedisFailure::connection, "connection refused");
      all.push_back(std::move(action));
    }
    rig.pass(std::max<Duration>(rig.plan.next_wake(rig.now.steady) - rig.now.steady, 1ms));
  }
  EXPECT_GT(count_of(all, "open"), 12);
  EXPECT_LT(count_of(all, "open"), 40);
  EXPECT_LE(count_of(all, "log redis_lost connection refused"), 7);
  EXPECT_THAT(rig.plan.stats().state, StartsWith("connection refused; next try in "));
}

TEST(RedisPlan, StartsAtOnceAfterARedisThatWasAbsentAtTheStart) {
  PlanRig rig;
  rig.offer(NamespaceOpened{"shop"});
  rig.did();
  rig.lose();
  rig.live(1s);
  rig.plan.connected(rig.now.steady);
  EXPECT_THAT(rig.did(), Contains("request shop"));
}

TEST(RedisPlan, WaitsARandomTimeAfterALostConnection) {
  const auto pause_of = [](std::uint64_t seed) {
    PlanRig rig(seed);
    rig.come_up();
    rig.lose();
    rig.live(1s);
    rig.plan.connected(rig.now.steady);
    return rig.plan.next_wake(rig.now.steady) - rig.now.steady;
  };
  EXPECT_GT(pause_of(1), 0s);
  EXPECT_LT(pause_of(1), 3s);
  EXPECT_LT(pause_of(2), 3s);
  EXPECT_NE(pause_of(1), pause_of(2));
}

TEST(RedisPlan, StopsOnlyTheNamespaceThatIsRefused) {
  PlanRig rig;
  rig.come_up();
  rig.come_up(1, "search");
  rig.offer(promoted(4));
  rig.offer(invalidated(5));
  rig.did();
  rig.refuse("NOPERM this user has no permissions");
  EXPECT_THAT(rig.did(), ElementsAre("log redis_refused NOPERM this user has no permissions"));
  EXPECT_FALSE(rig.plan.stats().up);
  EXPECT_EQ(rig.plan.stats().failed_events, (Counts{{"refused_by_server", 1}}));
  rig.offer(event_of("search", EventType::promoted, 4, 1));
  EXPECT_THAT(rig.did(), ElementsAre("send EXISTS HSET SADD search4 PEXPIRE"));
  EXPECT_THAT(rig.live(3s), Contains("request shop"));
  rig.offer(snapshot_of("shop", 5, 1));
  EXPECT_THAT(rig.did(), Contains("send EXISTS DEL HSET SADD snapshot5 shop5 PEXPIRE"));
  rig.accept_all();
  EXPECT_TRUE(rig.plan.stats().up);
}

TEST(RedisPlan, RetriesARefusedNamespaceMoreAndMoreSeldom) {
  PlanRig rig;
  rig.come_up();
  int requests = 0;
  rig.offer(promoted(4));
  for (int second = 0; second < 600; ++second) {
    const auto actions = rig.did();
    if (count_of(actions, "request shop") > 0) {
      ++requests;
      rig.offer(snapshot_of("shop", 4, 1));
      rig.did();
    }
    while (!rig.unanswered.empty()) rig.refuse("OOM command not allowed");
    rig.pass(100ms);
  }
  EXPECT_GT(requests, 5);
  EXPECT_LT(requests, 20);
}

TEST(RedisPlan, ConnectsAnewWhenTheWholeServerRefuses) {
  for (const char* code : {"READONLY", "NOAUTH", "LOADING", "MASTERDOWN"}) {
    PlanRig rig;
    rig.come_up();
    rig.offer(promoted(4));
    rig.offer(promoted(5));
    rig.did();
    rig.refuse(std::string(code) + " reason");
    EXPECT_THAT(rig.did(), ElementsAre("close", "log redis_refused " + std::string(code) + " reason"));
    EXPECT_FALSE(rig.plan.stats().up);
    EXPECT_EQ(rig.plan.stats().failed_events, (Counts{{"refused_by_server", 2}}));
    EXPECT_THAT(rig.live(1s), Contains("open"));
  }
}

TEST(RedisPlan, PublishesOnWhereTheSetHasAWrongType) {
  PlanRig rig;
  rig.come_up();
  const RespValue wrong_type{RespValue::Kind::error, "WRONGTYPE Operation against a key", 0, {}};
  for (std::uint64_t seq = 4; seq < 14; ++seq) {
    rig.offer(promoted(seq));
    rig.plan.advance(rig.now);
    const auto actions = rig.did();
    EXPECT_EQ(count_of(actions, "send EXISTS HSET SADD"), 1);
    rig.accept_but("SADD", wrong_type);
    EXPECT_EQ(count_of(rig.did(), "log redis_refused WRONGTYPE"), seq == 4 ? 1 : 0);
  }
  EXPECT_TRUE(rig.plan.stats().up);
  EXPECT_EQ(rig.plan.stats().events, 11U);
}

TEST(RedisPlan, WritesAHashOfAWrongTypeAnew) {
  PlanRig rig;
  rig.come_up();
  rig.live(2s);
  rig.offer(promoted(4));
  rig.did();
  rig.accept_but("HSET", {RespValue::Kind::error, "WRONGTYPE Operation against a key", 0, {}});
  EXPECT_THAT(rig.did(), Contains("request shop"));
}

TEST(RedisPlan, KeepsABoundedNumberOfInvalidations) {
  PlanRig rig(1, {.kept_events_max = 3});
  for (std::uint64_t seq = 1; seq <= 5; ++seq) rig.offer(invalidated(seq));
  EXPECT_EQ(rig.plan.stats().failed_events, (Counts{{"queue_full", 2}}));
  EXPECT_EQ(rig.plan.stats().queue_events, 3U);
}

TEST(RedisPlan, IsDrainedWhenAllIsAcknowledgedOrNobodyIsThere) {
  PlanRig rig;
  EXPECT_TRUE(rig.plan.is_drained());
  rig.come_up();
  EXPECT_TRUE(rig.plan.is_drained());
  rig.offer(promoted(4));
  EXPECT_FALSE(rig.plan.is_drained());
  rig.did();
  EXPECT_FALSE(rig.plan.is_drained());
  rig.accept_all();
  EXPECT_TRUE(rig.plan.is_drained());
  rig.offer(promoted(5));
  rig.did();
  rig.lose();
  EXPECT_TRUE(rig.plan.is_drained());
}

// What was in flight is lost with the connection: the snapshot after the next one makes up for it.
TEST(RedisPlan, IsNotDrainedWhileALostServerMayComeBack) {
  PlanRig rig;
  rig.come_up();
  rig.offer(promoted(4));
  rig.did();
  rig.plan.drain();
  rig.lose(RedisFailure::timeout);
  EXPECT_FALSE(rig.plan.is_drained());
  EXPECT_THAT(rig.live(std::chrono::seconds{1}), Contains("open"));
  rig.plan.connected(rig.now.steady);
  EXPECT_THAT(rig.did(), ElementsAre("request shop"));  // At once: others' load is no reason to wait now.
  EXPECT_FALSE(rig.plan.is_drained());
  rig.offer(snapshot_of("shop", 4, 1));
  rig.did();
  EXPECT_FALSE(rig.plan.is_drained());
  rig.accept_all();
  EXPECT_TRUE(rig.plan.is_drained());
}

TEST(RedisPlan, IsNotDrainedBeforeTheFirstConnectionWasTried) {
  PlanRig rig;
  rig.offer(NamespaceOpened{"shop"});
  rig.offer(invalidated(1));
  rig.plan.drain();
  EXPECT_FALSE(rig.plan.is_drained());
  rig.did();
  rig.lose();
  EXPECT_TRUE(rig.plan.is_drained());
}

TEST(RedisPlan, DoesNotWaitForAServerThatRefuses) {
  PlanRig rig;
  rig.come_up();
  rig.offer(promoted(4));
  rig.did();
  rig.plan.drain();
  rig.refuse("NOPERM this user has no permissions");
  EXPECT_TRUE(rig.plan.is_drained());
  rig.lose(RedisFailure::refused, "NOAUTH Authentication required.");
  EXPECT_TRUE(rig.plan.is_drained());
}

TEST(RedisPlan, ShowsNoControlBytesOfAServerInItsState) {
  PlanRig rig;
  rig.did();
  rig.lose(RedisFailure::refused, "ERR \x1b[31m\r\nfake");
  EXPECT_THAT(rig.plan.stats().state, HasSubstr("\\x1b[31m\\r\\nfake"));
}

}  // namespace
}  // namespace hotkeyd
