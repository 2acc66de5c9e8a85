#include "publisher/kafka_publisher.h"

#include <gmock/gmock.h>

#include "tests/kafka/mock_cluster.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A publisher on a loop that the test turns, a mock cluster, and a daemon that answers with snapshots.
class KafkaPublisherTest : public ::testing::Test {
 protected:
  void SetUp() override { cluster.create_topic("hotkey.events"); }

  void make(std::size_t outbox_max = 10'000) {
    PublisherOptions options;
    options.type = PublisherType::kafka;
    options.name = "kafka";
    options.kafka.brokers = {cluster.brokers()};
    options.kafka.records_max = outbox_max;
    options.queue_events_max = 16;
    PublisherHooks hooks;
    hooks.request_snapshot = [this](const std::string& ns) { answer(ns); };
    publisher.emplace(io, options, PublisherIdentity{"web-1", 7, 10s, 1}, hooks);
  }
  void answer(const std::string& ns) {
    requests.push_back(ns);
    const auto part = std::make_shared<const std::string>("snapshot");
    publisher->push(PublishedSnapshot{ns, seq, 1, {{"key", "data"}}, {part}});
  }
  void push(EventType type = EventType::promoted) {
    const std::string key = "k" + std::to_string(++seq);
    publisher->push(PublishedEvent{"shop", type, seq, key, std::make_shared<const std::string>(key), "", 1});
  }
  template <typename Condition>
  bool until(const Condition& is_done) {
    const Time end = Clock::now() + 20s;
    while (!is_done() && Clock::now() < end) {
      io.run_for(5ms);
      io.restart();
    }
    return is_done();
  }
  bool until_up() {
    return until([this] { return publisher->stats().up && publisher->stats().queue_events == 0; });
  }
  // Whether the stop said that everything was sent.
  bool stop(Duration deadline) {
    std::optional<bool> outcome;
    publisher->stop(deadline, [&](bool drained) { outcome = drained; });
    EXPECT_TRUE(until([&] { return outcome.has_value(); }));
    return outcome.value_or(false);
  }

  MockCluster cluster;
  asio::io_context io{1};
  std::vector<std::string> requests;
  std::uint64_t seq = 0;
  std::optional<KafkaPublisher> publisher;
};

TEST_F(KafkaPublisherTest, BeginsWithASnapshotOfWhatExistedBeforeIt) {
  make();
  publisher->push(NamespaceOpened{"shop"});
  publisher->start();
  push();
  ASSERT_TRUE(until_up());
  EXPECT_THAT(requests, ElementsAre("shop"));
  EXPECT_THAT(cluster.keys("hotkey.events", 2), ElementsAre("shop|k1", "shop|web-1"));
  EXPECT_EQ(publisher->stats().events, 2U);
  EXPECT_TRUE(stop(2s));
}

TEST_F(KafkaPublisherTest, IsUpOnceItsSnapshotIsAcknowledgedNotWhenItIsSent) {
  make();
  cluster.slow_down(300ms);
  publisher->push(NamespaceOpened{"shop"});
  publisher->start();
  ASSERT_TRUE(until([this] { return publisher->stats().up; }));
  EXPECT_EQ(publisher->stats().events, 1U);
  EXPECT_EQ(publisher->stats().queue_events, 0U);
}

TEST_F(KafkaPublisherTest, SendsTheEventsOfANamespaceThatAppearsLaterFromTheFirstOn) {
  make();
  publisher->start();
  publisher->push(NamespaceOpened{"shop"});
  push();
  push(EventType::invalidated);
  ASSERT_TRUE(until_up());
  EXPECT_THAT(requests, IsEmpty());
  EXPECT_THAT(cluster.keys("hotkey.events", 2), ElementsAre("shop|k1", "shop|k2"));
}

TEST_F(KafkaPublisherTest, AsksForASnapshotWhereEventsWereLostOnTheirWayToIt) {
  make();
  publisher->start();
  publisher->push(NamespaceOpened{"shop"});
  push();
  ASSERT_TRUE(until_up());
  publisher->push(StreamGap{"shop"});
  ASSERT_TRUE(until([this] { return !requests.empty(); }));
  ASSERT_TRUE(until_up());
  EXPECT_THAT(requests, ElementsAre("shop"));
  EXPECT_THAT(cluster.keys("hotkey.events", 2), ElementsAre("shop|k1", "shop|web-1"));
}

TEST_F(KafkaPublisherTest, HealsByASnapshotWhatDidNotFitWhileNoBrokerAnswered) {
  make(5);
  publisher->start();
  publisher->push(NamespaceOpened{"shop"});
  push();
  ASSERT_TRUE(until_up());
  cluster.set_down();
  ASSERT_TRUE(until([this] { return !publisher->stats().up; }));
  for (int i = 0; i < 200; ++i) {
    push();
    io.poll();
    io.restart();
  }
  EXPECT_GT(publisher->stats().failed_events["queue_full"], 0U);
  cluster.set_up();
  ASSERT_TRUE(until_up());
  ASSERT_FALSE(requests.empty());
  EXPECT_EQ(publisher->stats().queue_events, 0U);
  const auto keys = cluster.keys("hotkey.events", publisher->stats().events);
  EXPECT_THAT(keys, ::testing::Contains("shop|web-1"));
  EXPECT_EQ(publisher->stats().events + publisher->stats().failed_events["queue_full"],
            seq + requests.size());
}

TEST_F(KafkaPublisherTest, EndsWithinItsDeadlineAndCountsWhatIsLost) {
  make();
  publisher->start();
  push();
  ASSERT_TRUE(until_up());
  cluster.set_down();
  ASSERT_TRUE(until([this] { return !publisher->stats().up; }));
  push();
  const Time begin = Clock::now();
  EXPECT_TRUE(stop(3s)) << "there is no server to send to";
  EXPECT_LT(Clock::now() - begin, 3s);
  EXPECT_EQ(publisher->stats().failed_events["connection"], 1U);
}

TEST_F(KafkaPublisherTest, IsNotAwaitedWhereTheBrokerRefuses) {
  make();
  publisher->start();
  push();
  ASSERT_TRUE(until_up());
  cluster.fail_produce(std::vector(20, RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED));
  push();
  ASSERT_TRUE(until([this] { return publisher->stats().state.find("not authorized") != std::string::npos; }));
  const Time begin = Clock::now();
  EXPECT_TRUE(stop(30s)) << "more time would not help";
  EXPECT_LT(Clock::now() - begin, 10s);
  EXPECT_EQ(publisher->stats().failed_events["connection"], 1U);
}

TEST_F(KafkaPublisherTest, EndsAtOnceWhereItNeverBegan) {
  make();
  push();
  EXPECT_TRUE(stop(10s));
}

}  // namespace
}  // namespace hotkeyd
