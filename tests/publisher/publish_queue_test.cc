#include "publisher/publish_queue.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hotkeyd {
namespace {

PublishedEvent event(const std::string& ns, EventType type, std::uint64_t seq, std::size_t size = 10) {
  PublishedEvent made;
  made.ns = ns;
  made.type = type;
  made.seq = seq;
  made.bytes = std::make_shared<const std::string>(size, 'x');
  return made;
}
PublishedEvent queued_promotion(const std::string& ns, std::uint64_t seq) {
  return event(ns, EventType::promoted, seq);
}
PublishedEvent queued_invalidation(const std::string& ns, std::uint64_t seq) {
  return event(ns, EventType::invalidated, seq);
}
PublishedSnapshot snapshot(const std::string& ns, std::uint64_t seq) {
  PublishedSnapshot made;
  made.ns = ns;
  made.seq = seq;
  return made;
}

std::string shown(const PublishItem& item) {
  if (const auto* opened = std::get_if<NamespaceOpened>(&item)) return "open " + opened->ns;
  if (const auto* gap = std::get_if<StreamGap>(&item)) return "gap " + gap->ns;
  if (const auto* whole = std::get_if<PublishedSnapshot>(&item))
    return "snapshot " + whole->ns + std::to_string(whole->seq);
  const auto& of = std::get<PublishedEvent>(item);
  return (of.type == EventType::invalidated ? "inv " : "event ") + of.ns + std::to_string(of.seq);
}

std::vector<std::string> taken(PublishQueue& queue, std::size_t items_max = 1000) {
  std::vector<std::string> items;
  for (const PublishItem& item : queue.take(items_max)) items.push_back(shown(item));
  return items;
}

using Items = std::vector<std::string>;
constexpr std::size_t kRoomy = 1 << 20;

TEST(PublishQueue, KeepsTheOrderAndGivesAtMostWhatIsAskedFor) {
  PublishQueue queue(10, kRoomy);
  queue.push(NamespaceOpened{"a"});
  queue.push(queued_promotion("a", 1));
  queue.push(snapshot("a", 1));
  queue.push(queued_invalidation("a", 2));
  EXPECT_EQ(taken(queue, 3), (Items{"open a", "event a1", "snapshot a1"}));
  EXPECT_EQ(taken(queue, 3), (Items{"inv a2"}));
  EXPECT_EQ(queue.size(), 0U);
  EXPECT_EQ(queue.bytes(), 0U);
}

TEST(PublishQueue, DropsTheStreamWithTheMostHealableEventsAndKeepsItsInvalidations) {
  PublishQueue queue(5, kRoomy);
  queue.push(queued_promotion("a", 1));
  queue.push(queued_promotion("b", 1));
  queue.push(queued_invalidation("b", 2));
  queue.push(queued_promotion("b", 3));
  queue.push(snapshot("b", 3));
  queue.push(queued_promotion("a", 2));
  EXPECT_EQ(taken(queue), (Items{"event a1", "inv b2", "gap b", "event a2"}));
  EXPECT_EQ(queue.dropped_events(), 2U);
}

TEST(PublishQueue, DropsTheRestOfAStreamUntilItsNextSnapshot) {
  PublishQueue queue(2, kRoomy);
  queue.push(queued_promotion("a", 1));
  queue.push(queued_promotion("a", 2));
  queue.push(queued_promotion("a", 3));
  EXPECT_EQ(taken(queue), Items{"gap a"});
  queue.push(queued_promotion("a", 4));
  queue.push(snapshot("a", 4));
  queue.push(queued_promotion("a", 5));
  EXPECT_EQ(taken(queue), (Items{"snapshot a4", "event a5"}));
  EXPECT_EQ(queue.dropped_events(), 4U);
}

TEST(PublishQueue, DropsAnInvalidationOnlyWhenNothingElseIsLeft) {
  PublishQueue queue(3, kRoomy);
  queue.push(queued_promotion("a", 1));
  for (std::uint64_t seq = 2; seq < 6; ++seq) queue.push(queued_invalidation("a", seq));
  EXPECT_EQ(taken(queue), (Items{"inv a2", "inv a3", "gap a"}));
  EXPECT_EQ(queue.dropped_events(), 3U);
}

TEST(PublishQueue, AsksForASnapshotAgainWhenOneDidNotFit) {
  PublishQueue queue(1, kRoomy);
  queue.push(queued_invalidation("a", 1));
  queue.push(snapshot("b", 7));
  EXPECT_EQ(taken(queue), (Items{"inv a1", "gap b"}));
}

TEST(PublishQueue, LeavesOneGapPerStreamHoweverOftenItOverflows) {
  PublishQueue queue(2, kRoomy);
  for (std::uint64_t round = 0; round < 10; ++round) {
    queue.push(snapshot("a", round));
    for (std::uint64_t seq = 0; seq < 5; ++seq) queue.push(queued_promotion("a", seq));
  }
  EXPECT_EQ(taken(queue), Items{"gap a"});
}

TEST(PublishQueue, IsBoundedInBytes) {
  PublishQueue queue(1000, 5000);
  for (std::uint64_t seq = 0; seq < 100; ++seq) queue.push(event("a", EventType::invalidated, seq, 1000));
  EXPECT_EQ(queue.size(), 5U);
  EXPECT_LT(queue.bytes(), 6000U);
  EXPECT_EQ(queue.dropped_events(), 95U);
}

TEST(PublishQueue, TakesASnapshotOfAnySizeWhenThereIsRoom) {
  PublishQueue queue(10, 1000);
  PublishedSnapshot large = snapshot("a", 1);
  large.entries.push_back({"k", std::string(100'000, 'x')});
  queue.push(large);
  EXPECT_EQ(taken(queue), Items{"snapshot a1"});
}

}  // namespace
}  // namespace hotkeyd
