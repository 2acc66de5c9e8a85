#include "sdk/cpp/src/hot_stream.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace hotkeyd::sdk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Change = HotStream::Change;
using Outcome = HotStream::Outcome;

constexpr Time kStart{};
constexpr std::int64_t kLeaseMs = 10'000;

// The hash of a key is its first letter.
std::uint64_t letter(std::string_view key) { return static_cast<unsigned char>(key[0]); }

class StreamTest : public testing::Test {
 protected:
  Event of(EventType type, std::uint64_t seq) const {
    Event event;
    event.type = type;
    event.stream = {.node = node, .epoch = epoch, .ns = "shop"};
    event.seq = seq;
    event.lease_ms = kLeaseMs;
    return event;
  }
  Outcome key(EventType type, std::uint64_t seq, const std::string& key) {
    Event event = of(type, seq);
    event.key = key;
    event.data = KeyData{};
    event.data->key = key;
    event.data->seq = seq;
    return stream.apply(event, now);
  }
  Outcome promoted(std::uint64_t seq, const std::string& k) { return key(EventType::promoted, seq, k); }
  Outcome demoted(std::uint64_t seq, const std::string& k) { return key(EventType::demoted, seq, k); }
  Outcome heartbeat(std::uint64_t seq, std::uint64_t hot_keys) {
    Event event = of(EventType::heartbeat, seq);
    event.hot_keys = hot_keys;
    return stream.apply(event, now);
  }
  Outcome invalidated(std::uint64_t seq, const std::string& from) {
    Event event = of(EventType::invalidated, seq);
    event.stream.node = from;
    event.lease_ms = 0;
    event.key = "k";
    return stream.apply(event, now);
  }
  Outcome part(std::uint64_t seq, std::uint64_t number, std::uint64_t parts, const std::string& letters) {
    Event event = of(EventType::snapshot, seq);
    event.part = number;
    event.parts = parts;
    for (const char c : letters) {
      KeyData data;
      data.key = std::string(1, c);
      event.keys.push_back(data);
    }
    return stream.apply(event, now);
  }
  Outcome snapshot(std::uint64_t seq, const std::string& letters) { return part(seq, 1, 1, letters); }

  std::string hot() const {
    std::set<char> letters;
    for (const std::uint64_t hash : stream.hashes()) letters.insert(static_cast<char>(hash));
    return {letters.begin(), letters.end()};
  }

  HotStream stream{letter};
  std::string node = "web-17";
  std::uint64_t epoch = 100;
  Time now = kStart;
};

constexpr Outcome kIgnored{};
constexpr Outcome kAll{.change = Change::everything, .is_news = true};
Outcome added(char c) {
  return {.change = Change::added, .hash = static_cast<std::uint64_t>(c), .is_news = true};
}
Outcome removed(char c) {
  return {.change = Change::removed, .hash = static_cast<std::uint64_t>(c), .is_news = true};
}

TEST_F(StreamTest, FollowsEventsAfterTheSnapshot) {
  EXPECT_EQ(snapshot(7, "ab"), kAll);
  EXPECT_EQ(promoted(8, "c"), added('c'));
  EXPECT_EQ(key(EventType::updated, 9, "c"), Outcome{.is_news = true});
  EXPECT_EQ(demoted(10, "a"), removed('a'));
  EXPECT_EQ(heartbeat(10, 2), kIgnored);

  EXPECT_EQ(hot(), "bc");
  EXPECT_FALSE(stream.take_request());
}

TEST_F(StreamTest, OpensWithoutASnapshotWhenTheFirstEventIsTheFirstOfAll) {
  EXPECT_EQ(promoted(1, "a"), added('a'));
  EXPECT_FALSE(stream.take_request());
  EXPECT_EQ(hot(), "a");
}

TEST_F(StreamTest, AsksForASnapshotWhenItOpensInTheMiddle) {
  EXPECT_TRUE(promoted(5, "a").is_gap);
  EXPECT_TRUE(stream.take_request());
  EXPECT_EQ(hot(), "a");
  snapshot(5, "abc");
  EXPECT_EQ(hot(), "abc");
  EXPECT_FALSE(stream.has_gap());
}

TEST_F(StreamTest, AsksForASnapshotWhenItOpensWithAHeartbeat) {
  EXPECT_TRUE(heartbeat(0, 0).is_gap);
  EXPECT_TRUE(stream.take_request());
}

TEST_F(StreamTest, IgnoresWhatItHasSeen) {
  snapshot(7, "a");
  demoted(8, "a");
  EXPECT_EQ(promoted(7, "a"), kIgnored);
  EXPECT_EQ(promoted(3, "b"), kIgnored);
  EXPECT_EQ(demoted(8, "a"), kIgnored);
  EXPECT_EQ(snapshot(7, "a"), kIgnored);
  EXPECT_EQ(hot(), "");
  EXPECT_FALSE(stream.take_request());
}

TEST_F(StreamTest, HealsAGapByASnapshot) {
  snapshot(7, "a");
  const Outcome outcome = promoted(9, "b");
  EXPECT_TRUE(outcome.is_gap);
  EXPECT_TRUE(stream.take_request());
  EXPECT_FALSE(stream.take_request());

  EXPECT_EQ(snapshot(9, "bc"), kAll);
  EXPECT_EQ(hot(), "bc");
  EXPECT_EQ(promoted(10, "d"), added('d'));
  EXPECT_FALSE(stream.take_request());
}

TEST_F(StreamTest, AsksAgainWhileASnapshotIsTooOldToHealTheGap) {
  snapshot(7, "a");
  promoted(10, "b");
  EXPECT_TRUE(stream.take_request());
  snapshot(8, "ac");
  EXPECT_TRUE(stream.has_gap());
  EXPECT_FALSE(stream.take_request());
  EXPECT_EQ(hot(), "abc");

  heartbeat(10, 3);
  EXPECT_TRUE(stream.take_request());
  snapshot(10, "abc");
  EXPECT_FALSE(stream.has_gap());
}

TEST_F(StreamTest, LetsWhatIsNewerThanASnapshotStand) {
  snapshot(5, "ab");
  promoted(7, "c");  // 6 is missing.
  demoted(8, "a");
  snapshot(6, "abx");
  EXPECT_EQ(hot(), "bcx");
}

TEST_F(StreamTest, TakesLateEventsOfAGapByTheVersionOfTheirKey) {
  snapshot(5, "");
  demoted(7, "a");
  EXPECT_EQ(promoted(6, "a"), kIgnored);
  EXPECT_EQ(hot(), "");
}

TEST_F(StreamTest, FindsAGapByTheHeartbeat) {
  snapshot(5, "a");
  EXPECT_TRUE(heartbeat(6, 1).is_gap);
  EXPECT_TRUE(stream.take_request());
  snapshot(6, "b");
  EXPECT_FALSE(heartbeat(6, 1).is_gap);
  EXPECT_TRUE(heartbeat(6, 2).is_gap);  // The count is not ours.
  EXPECT_TRUE(stream.take_request());
}

TEST_F(StreamTest, JoinsTheConsecutivePartsOfASnapshot) {
  snapshot(1, "z");
  EXPECT_EQ(part(4, 1, 3, "ab"), Outcome{.is_news = true});
  part(4, 2, 3, "c");
  EXPECT_EQ(hot(), "z");
  EXPECT_EQ(part(4, 3, 3, "d"), kAll);
  EXPECT_EQ(hot(), "abcd");
  EXPECT_EQ(promoted(5, "e"), added('e'));
  EXPECT_FALSE(stream.take_request());
}

TEST_F(StreamTest, TakesAMissingPartForAGap) {
  snapshot(1, "z");
  part(4, 1, 3, "ab");
  EXPECT_TRUE(part(4, 3, 3, "d").is_gap);
  EXPECT_TRUE(stream.take_request());
  EXPECT_EQ(hot(), "z");
}

TEST_F(StreamTest, AppliesEventsBetweenThePartsOfASnapshot) {
  snapshot(1, "z");
  part(4, 1, 2, "ab");
  promoted(5, "e");
  demoted(6, "a");
  part(4, 2, 2, "c");
  EXPECT_EQ(hot(), "bce");
  EXPECT_FALSE(stream.take_request());
  heartbeat(6, 3);
  EXPECT_FALSE(stream.take_request());
}

TEST_F(StreamTest, EndsEveryEntryWithTheLease) {
  snapshot(5, "a");
  now += seconds(9);
  heartbeat(5, 1);
  EXPECT_FALSE(stream.expire(kStart + seconds(10)));
  EXPECT_EQ(stream.lease_end(), kStart + seconds(19));
  EXPECT_FALSE(stream.expire(kStart + seconds(19) - milliseconds(1)));
  EXPECT_TRUE(stream.expire(kStart + seconds(19)));
  EXPECT_EQ(hot(), "");
  EXPECT_EQ(stream.lease_end(), std::nullopt);
}

TEST_F(StreamTest, TakesNoLeaseForLongerThanAnHour) {
  Event event = of(EventType::heartbeat, 0);
  event.lease_ms = std::numeric_limits<std::int64_t>::max();
  stream.apply(event, now);
  EXPECT_EQ(stream.lease_end(), kStart + seconds(3600));
}

TEST_F(StreamTest, ForgetsTheEpochWithTheLease) {
  snapshot(5, "a");
  now += seconds(10);
  stream.expire(now);
  epoch = 50;
  EXPECT_EQ(snapshot(1, "b"), kAll);
  EXPECT_EQ(hot(), "b");
}

TEST_F(StreamTest, StartsAnewWithALargerEpoch) {
  snapshot(5, "a");
  epoch = 200;
  EXPECT_EQ(snapshot(0, "b"), kAll);
  EXPECT_EQ(hot(), "b");
  epoch = 300;
  EXPECT_EQ(promoted(1, "c").change, Change::everything);
  EXPECT_TRUE(stream.take_request());
  EXPECT_EQ(hot(), "c");
}

TEST_F(StreamTest, IgnoresASmallerEpochWhileTheLeaseRuns) {
  snapshot(5, "a");
  epoch = 50;
  EXPECT_EQ(promoted(9, "b"), kIgnored);
  EXPECT_EQ(snapshot(9, "b"), kIgnored);
  EXPECT_EQ(hot(), "a");
}

TEST_F(StreamTest, FollowsTheSnapshotOfANewSubscriptionWhateverItsNodeAndEpoch) {
  snapshot(5, "a");
  stream.expect_snapshot();
  node = "web-18";
  epoch = 50;
  EXPECT_EQ(snapshot(2, "b"), kAll);
  EXPECT_EQ(hot(), "b");
}

TEST_F(StreamTest, ContinuesWhenANewSubscriptionIsOfTheSameStream) {
  snapshot(5, "ab");
  stream.expect_snapshot();
  EXPECT_EQ(snapshot(9, "bc"), kAll);
  EXPECT_EQ(hot(), "bc");
  EXPECT_EQ(promoted(10, "d"), added('d'));
  EXPECT_FALSE(stream.take_request());
}

TEST_F(StreamTest, PassesOnInvalidationsOfOtherNodesAndOpensNoStream) {
  EXPECT_EQ(invalidated(17, "web-99"), Outcome{.is_news = true});
  EXPECT_FALSE(stream.take_request());
  snapshot(5, "a");
  EXPECT_EQ(invalidated(99, "web-99"), Outcome{.is_news = true});
  EXPECT_EQ(invalidated(6, "web-17"), Outcome{.is_news = true});
  EXPECT_EQ(promoted(7, "b"), added('b'));
  EXPECT_FALSE(stream.take_request());
}

TEST_F(StreamTest, CountsRulesChangedAmongTheNumbers) {
  snapshot(5, "a");
  EXPECT_EQ(stream.apply(of(EventType::rules_changed, 6), now), Outcome{.is_news = true});
  promoted(7, "b");
  EXPECT_FALSE(stream.take_request());
}

}  // namespace
}  // namespace hotkeyd::sdk
