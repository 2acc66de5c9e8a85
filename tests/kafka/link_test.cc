#include "kafka/link.h"

#include <gmock/gmock.h>

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

const Time kNow{1h};

TEST(KafkaLink, SaysWhyNoConnectionStands) {
  KafkaLink link(1);
  EXPECT_EQ(link.state({}, kNow), "connecting");
  link.troubled("b:9092: Connection refused");
  EXPECT_EQ(link.state({}, kNow), "b:9092: Connection refused; connecting again");
  EXPECT_TRUE(link.reached(true));
  EXPECT_FALSE(link.reached(true));
  EXPECT_EQ(link.state({}, kNow), "connected");
  EXPECT_TRUE(link.flows({}, kNow));
  link.cut_off();
  EXPECT_FALSE(link.flows({}, kNow));
  EXPECT_TRUE(link.accepted());
}

TEST(KafkaLink, PausesLongerEachTimeItIsRefusedUntilARecordIsAccepted) {
  KafkaLink link(1);
  link.reached(true);
  Duration longest{};
  Time now = kNow;
  for (int i = 0; i < 10; ++i) {
    link.refused("topic t does not exist", now);
    EXPECT_FALSE(link.may_send(now));
    const Duration pause = link.next_send() - now;
    EXPECT_LE(pause, 10s);
    longest = std::max(longest, pause);
    link.refused("topic t does not exist", now);
    EXPECT_EQ(link.next_send() - now, pause) << "records of one batch cost one pause";
    now = link.next_send();
    EXPECT_TRUE(link.may_send(now));
    EXPECT_FALSE(link.flows({}, now));
  }
  EXPECT_GE(longest, 5s);
  EXPECT_EQ(link.state({}, now - 1500ms), "topic t does not exist; next try in 2 s");
  link.accepted();
  EXPECT_TRUE(link.flows({}, now));
  link.refused("again", now);
  EXPECT_LE(link.next_send() - now, 500ms);
}

TEST(KafkaLink, DoesNotFlowWhileNothingIsAcknowledged) {
  KafkaLink link(1);
  link.reached(true);
  EXPECT_TRUE(link.flows(kNow - 5s, kNow));
  EXPECT_FALSE(link.flows(kNow - 6s, kNow));
  EXPECT_EQ(link.state(kNow - 6s, kNow), "connected, but nothing is acknowledged for 6 s");
}

}  // namespace
}  // namespace hotkeyd
