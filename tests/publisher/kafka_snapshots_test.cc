#include "publisher/kafka_snapshots.h"

#include <gmock/gmock.h>

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Snapshots under virtual time.
class KafkaSnapshotsTest : public ::testing::Test {
 protected:
  void pass(Duration time) { now += time; }
  std::vector<std::string> due() { return snapshots.take_due(now); }
  // A daemon that started with the namespace `shop` and whose first snapshot has come.
  void start(bool is_empty) {
    snapshots.opened("shop", now);
    snapshots.begin();
    snapshots.connected(now);
    ASSERT_THAT(due(), ElementsAre("shop"));
    snapshots.came("shop", is_empty, now);
  }

  Time now{1h};
  KafkaSnapshots snapshots{{}, 1};
};

TEST_F(KafkaSnapshotsTest, AreDueWithTheFirstConnectionForWhatExistedAtTheStart) {
  snapshots.opened("shop", now);
  snapshots.begin();
  snapshots.opened("later", now);
  EXPECT_THAT(due(), IsEmpty());
  snapshots.connected(now);
  EXPECT_THAT(due(), ElementsAre("shop"));
  EXPECT_FALSE(snapshots.all_came());
  snapshots.came("shop", true, now);
  EXPECT_TRUE(snapshots.all_came());
}

TEST_F(KafkaSnapshotsTest, ComeWithinEverySixtySeconds) {
  start(false);
  EXPECT_LE(snapshots.next_wake(), now + 60s);
  EXPECT_GE(snapshots.next_wake(), now + 55s);
  pass(54s);
  EXPECT_THAT(due(), IsEmpty());
  pass(6s);
  EXPECT_THAT(due(), ElementsAre("shop"));
}

TEST_F(KafkaSnapshotsTest, AreSkippedWhileTheHotSetStaysEmpty) {
  start(true);
  pass(60s);
  EXPECT_THAT(due(), IsEmpty());
  snapshots.event("shop", now);
  pass(60s);
  EXPECT_THAT(due(), ElementsAre("shop"));
  snapshots.came("shop", true, now);
  pass(60s);
  EXPECT_THAT(due(), IsEmpty());
}

TEST_F(KafkaSnapshotsTest, FollowEachReconnectWithinThreeSecondsEvenIfEmpty) {
  start(true);
  snapshots.disconnected();
  pass(60s);
  EXPECT_THAT(due(), IsEmpty());
  snapshots.connected(now);
  EXPECT_FALSE(snapshots.all_came());
  pass(3s);
  EXPECT_THAT(due(), ElementsAre("shop"));
}

TEST_F(KafkaSnapshotsTest, AreAskedForAgainWhenNoneComes) {
  snapshots.opened("shop", now);
  snapshots.begin();
  snapshots.connected(now);
  EXPECT_THAT(due(), ElementsAre("shop"));
  pass(4s);
  EXPECT_THAT(due(), IsEmpty());
  pass(1s);
  EXPECT_THAT(due(), ElementsAre("shop"));
}

TEST_F(KafkaSnapshotsTest, FollowAGapAtOnceButOnceASecond) {
  start(false);
  pass(10s);
  snapshots.gap("shop", now);
  EXPECT_FALSE(snapshots.all_came());
  EXPECT_THAT(due(), ElementsAre("shop"));
  snapshots.came("shop", false, now);
  snapshots.gap("shop", now);
  EXPECT_THAT(due(), IsEmpty());
  pass(1s);
  EXPECT_THAT(due(), ElementsAre("shop"));
}

}  // namespace
}  // namespace hotkeyd
