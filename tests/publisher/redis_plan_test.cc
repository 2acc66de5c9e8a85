#include "publisher/redis_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/publisher/plan_rig.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Counts = std::map<std::string, std::uint64_t>;

const char* const kSendSnapshot3 = "send EXISTS DEL HSET SADD snapshot3 PEXPIRE";
const char* const kSendMembers = "send SRANDMEMBER";

TEST(RedisPlan, ConnectsAtOnceAndOpensEachStreamWithASnapshot) {
  PlanRig rig;
  rig.offer(NamespaceOpened{"shop"});
  EXPECT_THAT(rig.did(), ElementsAre("open"));
  rig.plan.connected(rig.now.steady);
  EXPECT_THAT(rig.did(), ElementsAre("request shop"));
  rig.offer(promoted(3));
  rig.offer(snapshot_of("shop", 3, 1));
  rig.offer(promoted(4));
  EXPECT_THAT(rig.did(), ElementsAre(kSendSnapshot3, kSendMembers, "send EXISTS HSET SADD shop4 PEXPIRE"));
  EXPECT_FALSE(rig.plan.stats().up);
  rig.accept();
  EXPECT_TRUE(rig.plan.stats().up);
  rig.accept_all();
  EXPECT_EQ(rig.plan.stats().events, 2U);
  EXPECT_EQ(rig.plan.stats().failed_events, Counts{});
}

TEST(RedisPlan, IsUpWithoutAnyNamespace) {
  PlanRig rig;
  rig.did();
  rig.plan.connected(rig.now.steady);
  EXPECT_THAT(rig.did(), IsEmpty());
  EXPECT_TRUE(rig.plan.stats().up);
  EXPECT_EQ(rig.plan.next_wake(rig.now.steady), Time::max());
}

TEST(RedisPlan, SendsNothingWhileNothingHappensInAColdNamespace) {
  PlanRig rig;
  rig.come_up(0);
  EXPECT_THAT(rig.live(1h), IsEmpty());
}

TEST(RedisPlan, StartsALaterNamespaceWithItsSnapshotAndStaysUp) {
  PlanRig rig;
  rig.come_up();
  rig.offer(event_of("later", EventType::promoted, 1, 1));
  EXPECT_THAT(rig.did(), ElementsAre("request later"));
  EXPECT_TRUE(rig.plan.stats().up);
  rig.offer(snapshot_of("later", 1, 1));
  rig.offer(event_of("later", EventType::promoted, 2, 2));
  EXPECT_THAT(rig.did(), ElementsAre("send EXISTS DEL HSET SADD snapshot1 PEXPIRE", kSendMembers,
                                     "send EXISTS HSET SADD later2 PEXPIRE"));
}

TEST(RedisPlan, HoldsInvalidationsBackUntilTheSnapshot) {
  PlanRig rig;
  rig.offer(invalidated(1));
  rig.offer(promoted(2));
  EXPECT_THAT(rig.did(), ElementsAre("open"));
  rig.plan.connected(rig.now.steady);
  rig.did();
  rig.offer(invalidated(3));
  rig.offer(snapshot_of("shop", 3, 1));
  EXPECT_THAT(rig.did(),
              ElementsAre("send EXISTS DEL HSET SADD snapshot3 shop1 shop3 PEXPIRE", kSendMembers));
}

TEST(RedisPlan, SendsOneTransactionPerBatchOfANamespace) {
  PlanRig rig;
  rig.come_up();
  for (std::uint64_t seq = 4; seq < 8; ++seq) rig.offer(promoted(seq));
  EXPECT_THAT(rig.did(), ElementsAre("send EXISTS HSET SADD shop4 shop5 shop6 shop7 PEXPIRE"));
}

TEST(RedisPlan, CutsABatchAtFiveHundredEvents) {
  PlanRig rig;
  rig.come_up();
  for (std::uint64_t seq = 4; seq < 1104; ++seq) rig.offer(promoted(seq));
  EXPECT_EQ(rig.did().size(), 3U);
}

TEST(RedisPlan, TakesNoMoreItemsThanTheServerKeepsUpWith) {
  PlanRig rig(1, {.window_bytes = 200});
  rig.come_up();
  EXPECT_TRUE(rig.plan.wants_items());
  for (std::uint64_t seq = 4; seq < 8; ++seq) rig.offer(promoted(seq));
  rig.did();
  EXPECT_FALSE(rig.plan.wants_items());
  rig.accept_all();
  EXPECT_TRUE(rig.plan.wants_items());
}

TEST(RedisPlan, LeavesOutWhatTheSnapshotAfterAGapHoldsButNoInvalidation) {
  PlanRig rig;
  rig.come_up();
  rig.pass(1s);
  rig.did();
  rig.accept_all();
  rig.offer(promoted(4));
  rig.offer(invalidated(5));
  rig.offer(StreamGap{"shop"});
  EXPECT_THAT(rig.did(), ElementsAre("request shop"));
  rig.offer(snapshot_of("shop", 6, 1));
  rig.offer(promoted(7));
  EXPECT_THAT(rig.did(), ElementsAre("send EXISTS DEL HSET SADD snapshot6 shop5 PEXPIRE", kSendMembers,
                                     "send EXISTS HSET SADD shop7 PEXPIRE"));
}

// What a heartbeat says of the stream, by which a subscriber sees whether it has missed an event.
std::string next_heartbeat(PlanRig& rig) {
  rig.accept_all();
  rig.pass(rig.plan.next_wake(rig.now.steady) - rig.now.steady);
  rig.did();
  for (const SendCommands& sent : rig.unanswered) {
    for (const RedisCommand& command : sent.commands) {
      if (command[0] == "PUBLISH") return command[2];
    }
  }
  return "none";
}

TEST(RedisPlan, BeatsWithTheNumberOfTheSnapshotAndThenOfTheLastEvent) {
  PlanRig rig;
  rig.come_up();
  EXPECT_THAT(next_heartbeat(rig), HasSubstr("\"seq\":3"));
  rig.offer(promoted(4));
  rig.did();
  EXPECT_THAT(next_heartbeat(rig), HasSubstr("\"seq\":4"));
}

TEST(RedisPlan, BeatsWhileHotAndOneLeaseLonger) {
  PlanRig rig;
  rig.come_up();
  const auto beats = rig.live(30s);
  EXPECT_EQ(std::count(beats.begin(), beats.end(), "send EXISTS SADD heartbeat PEXPIRE"), 10);
  rig.offer(event_of("shop", EventType::demoted, 4, 0));
  EXPECT_THAT(rig.did(), ElementsAre("send EXISTS DEL SREM shop4"));
  rig.accept_all();
  const auto after = rig.live(1h);
  const auto cold = std::count(after.begin(), after.end(), "send EXISTS heartbeat");
  EXPECT_TRUE(cold == 3 || cold == 4) << cold;
  EXPECT_EQ(std::count(after.begin(), after.end(), kSendMembers), cold);
}

TEST(RedisPlan, BeatsAtAPhaseOfItsOwn) {
  const auto first_beat = [](std::uint64_t seed) {
    PlanRig rig(seed);
    rig.come_up();
    return rig.plan.next_wake(rig.now.steady) - rig.now.steady;
  };
  EXPECT_LT(first_beat(1), 3s);
  EXPECT_LT(first_beat(2), 3s);
  EXPECT_NE(first_beat(1), first_beat(2));
}

TEST(RedisPlan, WritesAHashThatHasGoneWholeAndPublishesASnapshot) {
  PlanRig rig;
  rig.come_up();
  rig.live(2s);
  rig.offer(promoted(4));
  rig.did();
  rig.accept_but("EXISTS", {RespValue::Kind::integer, "", 0, {}});
  EXPECT_THAT(rig.did(), ElementsAre(StartsWith("log redis_hash_lost"), "request shop"));
  rig.offer(promoted(5));
  EXPECT_THAT(rig.did(), IsEmpty());
  rig.offer(snapshot_of("shop", 5, 1));
  EXPECT_THAT(rig.did(), ElementsAre("send EXISTS DEL HSET SADD snapshot5 PEXPIRE", kSendMembers));
  EXPECT_TRUE(rig.plan.stats().up);
}

TEST(RedisPlan, DoesNotMissAHashThatNeedNotBeThere) {
  PlanRig rig;
  rig.come_up(0);
  rig.offer(promoted(4));
  rig.did();
  rig.accept_but("EXISTS", {RespValue::Kind::integer, "", 0, {}});
  EXPECT_THAT(rig.did(), IsEmpty());
}

TEST(RedisPlan, AsksForASnapshotAtMostOnceASecond) {
  PlanRig rig;
  rig.come_up();
  rig.pass(2s);
  for (int round = 0; round < 5; ++round) {
    rig.offer(StreamGap{"shop"});
    EXPECT_THAT(rig.did(), Contains("request shop").Times(round == 0 ? 1 : 0));
  }
  EXPECT_THAT(rig.live(1s), Contains("request shop"));
}

TEST(RedisPlan, AsksAgainForASnapshotThatDoesNotCome) {
  PlanRig rig;
  rig.offer(NamespaceOpened{"shop"});
  rig.did();
  rig.plan.connected(rig.now.steady);
  EXPECT_THAT(rig.live(10s), ElementsAre("request shop", "request shop", "request shop", "request shop"));
}

TEST(RedisPlan, IgnoresASnapshotNobodyAskedFor) {
  PlanRig rig;
  rig.offer(snapshot_of("shop", 1, 1));
  rig.come_up();
  rig.offer(snapshot_of("shop", 4, 1));
  EXPECT_THAT(rig.did(), IsEmpty());
}

TEST(RedisPlan, RemovesMembersWithoutAHash) {
  PlanRig rig;
  rig.members = {{RespValue::Kind::bulk, "web-1", 0, {}},
                 {RespValue::Kind::bulk, "alive", 0, {}},
                 {RespValue::Kind::bulk, "dead", 0, {}}};
  rig.offer(NamespaceOpened{"shop"});
  rig.did();
  rig.plan.connected(rig.now.steady);
  rig.did();
  rig.offer(snapshot_of("shop", 3, 1));
  rig.did();
  rig.accept();
  rig.accept();
  ASSERT_EQ(rig.unanswered.size(), 1U);
  EXPECT_EQ(rig.unanswered[0].commands[1], (RedisCommand{"EXISTS", "hotkey:{shop}:state:alive"}));
  rig.answer({{RespValue::Kind::integer, "", 1, {}}, {RespValue::Kind::integer, "", 0, {}}});
  ASSERT_EQ(rig.unanswered.size(), 1U);
  EXPECT_EQ(rig.unanswered[0].commands[1], (RedisCommand{"SREM", "hotkey:{shop}:nodes", "dead"}));
}

TEST(RedisPlan, LosesNothingByAHousekeepingThatIsRefused) {
  PlanRig rig;
  rig.come_up();
  rig.live(3s);
  while (rig.unanswered.empty()) {
    rig.pass(1s);
    rig.did();
  }
  rig.accept();
  rig.refuse("NOPERM this user has no permissions");
  EXPECT_THAT(rig.did(), ElementsAre(HasSubstr("NOPERM")));
  EXPECT_TRUE(rig.plan.stats().up);
}

}  // namespace
}  // namespace hotkeyd
