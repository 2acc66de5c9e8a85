#include "server/streams.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/server/server_rig.h"

namespace hotkeyd {
namespace {

using Sentences = std::vector<std::string>;

DetectorOptions with_room_for(std::size_t hot_keys) {
  DetectorOptions options = make_options({make_rule("rest", "*", 100)});
  options.hot_keys_max = hot_keys;
  options.memory_per_namespace = 2 << 20;
  options.names_max = 1 << 20;
  return options;
}

// Makes that many keys hot, at the pace at which they are told.
void pin_many(ServerRig& rig, int keys) {
  const NamespaceId shop = *rig.streams.open("shop");
  Decisions decisions;
  for (int i = 0; i < keys; ++i) {
    ASSERT_TRUE(rig.detector.pin(shop, "k" + std::to_string(i), std::nullopt, rig.now, decisions));
    rig.streams.tell(decisions, std::nullopt);
    if (i % 1000 == 999) rig.run(100ms);
  }
  rig.run(100ms);
}

TEST(Streams, TellADecisionAtOnce) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, {"SUBSCRIBE", "hotkey:events:shop"});
  const auto other = rig.connect();
  rig.raw(*other, {"HOTKEY", "HIT", "shop", "k", "100"});
  EXPECT_EQ(rig.events(*client), (Sentences{"promoted k 1"}));
}

TEST(Streams, GiveTheOutletTheSameBytesAndTheStateOfTheKey) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, {"HOTKEY", "HIT", "shop", "k", "100"});
  rig.raw(*client, {"HOTKEY", "DENY", "shop", "k"});
  ASSERT_EQ(rig.outlet.events.size(), 2U);
  const PublishedEvent& promoted = rig.outlet.events[0];
  EXPECT_EQ(rig.outlet.opened, (Sentences{"shop"}));
  EXPECT_EQ(promoted.ns, "shop");
  EXPECT_EQ(promoted.key, "k");
  EXPECT_EQ(promoted.seq, 1U);
  EXPECT_EQ(promoted.hot_keys, 1U);
  EXPECT_NE(promoted.bytes->find("\"data\":" + promoted.key_data), std::string::npos);
  EXPECT_EQ(rig.outlet.events[1].type, EventType::demoted);
  EXPECT_EQ(rig.outlet.events[1].hot_keys, 0U);
  EXPECT_EQ(rig.outlet.events[1].key_data, "");
}

TEST(Streams, SendAHeartbeatEachSecondToWhomSubscribed) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, {"HOTKEY", "PIN", "shop", "k"});
  rig.raw(*client, {"SUBSCRIBE", "hotkey:events:shop"});
  rig.run(400ms);  // The first comes half a second after the start, out of step with the ends of windows.
  EXPECT_EQ(rig.events(*client), (Sentences{}));
  rig.run(100ms);
  EXPECT_EQ(rig.events(*client), (Sentences{"heartbeat 1"}));
  rig.run(2s);
  EXPECT_EQ(rig.events(*client), (Sentences{"heartbeat 1", "heartbeat 1"}));
}

TEST(Streams, TellAThousandDecisionsPerTenthOfASecond) {
  ServerRig rig(with_room_for(2500));
  const auto client = rig.connect();
  pin_many(rig, 2500);
  rig.outlet.events.clear();

  rig.raw(*client, {"HOTKEY", "DISABLE", "shop"});
  EXPECT_TRUE(rig.detector.hot_keys(0).empty());
  EXPECT_EQ(rig.outlet.events.size(), 1000U);
  rig.run(100ms);
  EXPECT_EQ(rig.outlet.events.size(), 2000U);
  rig.run(100ms);
  EXPECT_EQ(rig.outlet.events.size(), 2500U);
  EXPECT_EQ(rig.streams.untold(), 0U);
  for (std::size_t i = 0; i < rig.outlet.events.size(); ++i) EXPECT_EQ(rig.outlet.events[i].seq, 2501 + i);
}

TEST(Streams, SendNoHeartbeatWhileEventsWaitToBeTold) {
  ServerRig rig(with_room_for(2100));
  const auto client = rig.connect();
  pin_many(rig, 2100);
  const auto subscriber = rig.connect();
  rig.raw(*subscriber, {"SUBSCRIBE", "hotkey:events:shop"});
  while (rig.events(*subscriber).empty()) rig.run(100ms);  // A heartbeat: the next one comes in a second.
  rig.run(900ms);
  rig.raw(*client, {"HOTKEY", "DISABLE", "shop"});
  rig.run(100ms);  // Brings the next heartbeat, were it not for the events that wait.
  const auto told = rig.events(*subscriber);
  ASSERT_EQ(told.size(), 2000U);
  EXPECT_TRUE(told.back().ends_with(" 4100")) << told.back();
  rig.run(1s);
  const auto rest = rig.events(*subscriber);
  ASSERT_EQ(rest.size(), 101U);
  EXPECT_EQ(rest.back(), "heartbeat 4200");
}

TEST(Streams, SkipWhatASnapshotHolds) {
  ServerRig rig(with_room_for(1500));
  const auto client = rig.connect();
  pin_many(rig, 1500);
  rig.raw(*client, {"HOTKEY", "DISABLE", "shop"});
  ASSERT_EQ(rig.streams.untold(), 500U);
  const auto late = rig.connect();
  rig.raw(*late, {"SUBSCRIBE", "hotkey:events:shop"});
  rig.run(100ms);
  rig.raw(*client, {"HOTKEY", "ENABLE", "shop"});
  rig.run(100ms);
  const auto told = rig.events(*late);
  ASSERT_FALSE(told.empty());
  EXPECT_TRUE(told.front().ends_with(" 3001")) << told.front();
}

TEST(Streams, LetOtherNamespacesTellInBetween) {
  ServerRig rig(with_room_for(2000));
  const auto client = rig.connect();
  pin_many(rig, 2000);
  rig.raw(*client, {"HOTKEY", "DISABLE", "shop"});
  rig.raw(*client, {"HOTKEY", "PIN", "search", "k"});
  rig.outlet.events.clear();
  rig.run(100ms);
  ASSERT_GE(rig.outlet.events.size(), 2U);
  EXPECT_EQ(rig.outlet.events[1].ns, "search");
}

TEST(Streams, TellTheOldestAtOnceWhenTooMuchWaits) {
  ServerRig rig;
  ASSERT_TRUE(rig.streams.open("shop"));
  Decisions decisions;
  for (std::uint64_t seq = 1; seq <= 1600; ++seq) {
    Decision decision;
    decision.key.key =
        std::string(seq <= 1000 ? 1 : 60'000, 'k');  // The first 1,000 are told without waiting.
    decision.key.seq = seq;
    decisions.push_back(decision);
  }
  rig.streams.tell(decisions, std::nullopt);
  EXPECT_GT(rig.outlet.events.size(), 1000U);
  EXPECT_EQ(rig.outlet.events.size() + rig.streams.untold(), 1600U);
  EXPECT_LT(rig.streams.untold() * 60'000, Streams::kUntoldBytesMax);
  for (std::size_t i = 0; i < rig.outlet.events.size(); ++i) EXPECT_EQ(rig.outlet.events[i].seq, i + 1);
}

TEST(Streams, CountEachConnectionOnceThatAnInvalidationReaches) {
  ServerRig rig;
  const auto one = rig.connect();
  const auto two = rig.connect();
  const auto other = rig.connect();
  rig.raw(*one, {"SUBSCRIBE", "hotkey:events:shop"});
  rig.raw(*one, {"PSUBSCRIBE", "hotkey:events:s*"});
  rig.raw(*two, {"SUBSCRIBE", "hotkey:events:shop"});
  rig.raw(*other, {"SUBSCRIBE", "hotkey:events:search"});
  const auto client = rig.connect();
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "INVALIDATE", "shop", "a", "b"}), ":2\r\n");
  EXPECT_EQ(rig.events(*two), (Sentences{"invalidated a 1", "invalidated b 2"}));
  EXPECT_EQ(rig.events(*other), (Sentences{}));
}

TEST(Streams, PaceAnInvalidationOfVeryManyKeys) {
  ServerRig rig;
  const auto client = rig.connect();
  std::vector<std::string> words{"HOTKEY", "INVALIDATE", "shop"};
  for (int i = 0; i < 2500; ++i) words.push_back("k" + std::to_string(i));
  rig.raw(*client, words);
  EXPECT_EQ(rig.outlet.events.size(), 1000U);
  rig.run(200ms);
  ASSERT_EQ(rig.outlet.events.size(), 2500U);
  for (std::size_t i = 0; i < 2500; ++i) EXPECT_EQ(rig.outlet.events[i].key, "k" + std::to_string(i));
}

TEST(Streams, HandOnForeignInvalidationsAsTheyAre) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, {"SUBSCRIBE", "hotkey:events:shop"});
  rig.streams.deliver_foreign("shop", "{foreign}");
  rig.streams.deliver_foreign("search", "{not for us}");
  EXPECT_EQ(rig.read(*client), "*3\r\n$7\r\nmessage\r\n$18\r\nhotkey:events:shop\r\n$9\r\n{foreign}\r\n");
}

TEST(Streams, MeasureTheDelayOfPromotionsByAccess) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.now.steady = Clock::now();
  rig.raw(*client, {"HOTKEY", "HIT", "shop", "k", "100"});
  rig.raw(*client, {"HOTKEY", "PIN", "shop", "pinned"});
  EXPECT_EQ(rig.streams.detection_delay().count, 1U);
}

TEST(Streams, TakeASnapshotForPublishers) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, {"HOTKEY", "PIN", "shop", "k"});
  const PublishedSnapshot snapshot = rig.streams.published_snapshot("shop");
  EXPECT_EQ(snapshot.seq, 1U);
  ASSERT_EQ(snapshot.entries.size(), 1U);
  EXPECT_EQ(snapshot.entries[0].key, "k");
  ASSERT_EQ(snapshot.parts.size(), 1U);
  EXPECT_NE(snapshot.parts[0]->find("\"keys\":[" + snapshot.entries[0].key_data + "]"), std::string::npos);
  EXPECT_EQ(rig.streams.published_snapshot("unknown").parts.size(), 1U);
}

}  // namespace
}  // namespace hotkeyd
