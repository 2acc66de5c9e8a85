#include "cli/watched_stream.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace hotkeyd {
namespace {

constexpr UnixMs kNow = 1'796'053'922'113;

KeyData data_of(const std::string& key, std::uint64_t rate) {
  KeyData data;
  data.key = key;
  data.rate = rate;
  data.rule = "sale";
  data.reason = "rate";
  return data;
}

Event event_of(EventType type, std::uint64_t seq, const std::string& key = "") {
  Event event;
  event.type = type;
  event.stream = {"web-17", 1, "shop"};
  event.seq = seq;
  event.key = key;
  if (type == EventType::promoted || type == EventType::updated || type == EventType::demoted)
    event.data = data_of(key, 1003);
  return event;
}

Event heartbeat(std::uint64_t seq, std::uint64_t hot_keys) {
  Event event = event_of(EventType::heartbeat, seq);
  event.hot_keys = hot_keys;
  return event;
}

Event snapshot(std::uint64_t seq, const std::vector<std::string>& keys, std::uint64_t part = 1,
               std::uint64_t parts = 1) {
  Event event = event_of(EventType::snapshot, seq);
  for (const std::string& key : keys) event.keys.push_back(data_of(key, 500));
  event.part = part;
  event.parts = parts;
  return event;
}

using Lines = std::vector<std::string>;

class WatchedStreamTest : public testing::Test {
 protected:
  WatchedStreamTest() {
    setenv("TZ", "UTC", 1);
    tzset();
  }

  Lines lines(const Event& event) {
    const auto outcome = stream_.apply(event, kNow);
    EXPECT_FALSE(outcome.has_gap);
    return outcome.lines;
  }
  bool has_gap(const Event& event) { return stream_.apply(event, kNow).has_gap; }

  WatchedStream stream_;
};

TEST_F(WatchedStreamTest, TellsFirstWhatIsHot) {
  EXPECT_EQ(lines(snapshot(7, {"b", "a\n"})),
            (Lines{"15:52:02.113  snapshot     2 hot",
                   "15:52:02.113  is hot             500/s  read   rate          sale          a\\n",
                   "15:52:02.113  is hot             500/s  read   rate          sale          b"}));
}

TEST_F(WatchedStreamTest, CutsALongFirstList) {
  std::vector<std::string> keys;
  for (int i = 0; i < 25; ++i) keys.push_back(std::to_string(i));
  const Lines told = lines(snapshot(7, keys));
  EXPECT_EQ(told.size(), 22U);
  EXPECT_EQ(told.back(), "15:52:02.113               and 5 more");
}

TEST_F(WatchedStreamTest, TellsEachEventInALine) {
  lines(snapshot(0, {}));
  EXPECT_EQ(lines(event_of(EventType::promoted, 1, "k")),
            Lines{"15:52:02.113  promoted         1,003/s  read   rate          sale          k"});
  EXPECT_EQ(lines(event_of(EventType::updated, 2, "k")).front().substr(14, 8), "updated ");
  EXPECT_EQ(lines(heartbeat(2, 1)), Lines{});
  EXPECT_EQ(lines(event_of(EventType::invalidated, 3, "\xff")).front().substr(14, 12), "invalidated ");
  EXPECT_EQ(lines(event_of(EventType::rules_changed, 4)), Lines{"15:52:02.113  rules_changed  "});
  EXPECT_EQ(lines(event_of(EventType::demoted, 5, "k")).front().substr(14, 8), "demoted ");
  EXPECT_EQ(lines(heartbeat(5, 0)), Lines{});
}

TEST_F(WatchedStreamTest, NoticesEachKindOfGap) {
  EXPECT_TRUE(has_gap(heartbeat(3, 0))) << "a heartbeat of an unknown stream";
  lines(snapshot(3, {"k"}));
  EXPECT_TRUE(has_gap(event_of(EventType::promoted, 5, "x"))) << "a number left out";
  lines(snapshot(5, {"k", "x"}));
  EXPECT_TRUE(has_gap(heartbeat(6, 2))) << "a heartbeat with another number";
  lines(snapshot(6, {"k", "x"}));
  EXPECT_TRUE(has_gap(heartbeat(6, 3))) << "a heartbeat with another number of keys";
  lines(snapshot(6, {"k", "x"}));
  Event newer = event_of(EventType::promoted, 7, "y");
  newer.stream.epoch = 2;
  EXPECT_TRUE(has_gap(newer)) << "another epoch";
}

TEST_F(WatchedStreamTest, AsksOnceForEachGap) {
  lines(snapshot(1, {}));
  EXPECT_TRUE(has_gap(event_of(EventType::promoted, 3, "a")));
  EXPECT_FALSE(has_gap(event_of(EventType::promoted, 5, "b")));
  lines(snapshot(5, {"a", "b"}));
  EXPECT_TRUE(has_gap(event_of(EventType::promoted, 7, "c")));
  stream_.reconnected();
  EXPECT_TRUE(has_gap(event_of(EventType::promoted, 9, "d")));
}

TEST_F(WatchedStreamTest, TellsWhatWasMissedAfterASnapshot) {
  lines(snapshot(1, {"gone", "stays"}));
  EXPECT_EQ(lines(snapshot(9, {"new", "stays"})),
            (Lines{"15:52:02.113  snapshot     2 hot",
                   "15:52:02.113  was demoted        500/s  read   rate          sale          gone",
                   "15:52:02.113  is hot             500/s  read   rate          sale          new"}));
}

TEST_F(WatchedStreamTest, JoinsTheParts) {
  EXPECT_EQ(lines(snapshot(4, {"a"}, 1, 3)), Lines{});
  EXPECT_EQ(lines(snapshot(4, {"b"}, 2, 3)), Lines{});
  EXPECT_EQ(lines(snapshot(4, {"c"}, 3, 3)).size(), 4U);
  EXPECT_EQ(lines(heartbeat(4, 3)), Lines{});
}

TEST_F(WatchedStreamTest, AsksAgainWhenAPartIsMissing) {
  lines(snapshot(4, {"a"}, 1, 3));
  EXPECT_TRUE(has_gap(snapshot(4, {"c"}, 3, 3)));
  EXPECT_EQ(lines(snapshot(4, {"a", "b", "c"})).size(), 4U);
}

TEST_F(WatchedStreamTest, TakesRelayedInvalidationsForNoGap) {
  lines(snapshot(4, {"a"}));
  Event relayed = event_of(EventType::invalidated, 77, "k");
  relayed.stream.node = "web-18";
  EXPECT_EQ(lines(relayed).size(), 1U);
  EXPECT_EQ(lines(heartbeat(4, 1)), Lines{});
}

}  // namespace
}  // namespace hotkeyd
