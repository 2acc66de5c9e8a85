#include "kafka/producer.h"

#include <gmock/gmock.h>

#include "tests/kafka/mock_cluster.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

// A producer on a loop that the test turns, and a mock cluster.
class KafkaProducerTest : public ::testing::Test {
 protected:
  void start(KafkaOptions options = {}) {
    options.brokers = {cluster.brokers()};
    options.topic = "events";
    KafkaProducerHooks hooks;
    hooks.changed = [] {};
    hooks.connected = [this] { ++connections; };
    hooks.noted = [this](const KafkaNote& note) { notes.push_back(note); };
    producer.emplace(io, options, 1, hooks);
    producer->start();
  }
  void add(const std::string& key, std::size_t size = 10) {
    producer->add({key, std::make_shared<const std::string>(size, 'v'), {{"ce_id", "id of " + key}}, 1},
                  {Clock::now(), 1});
  }
  // Turns the loop until `is_done` holds; false after 20 s.
  template <typename Condition>
  bool until(const Condition& is_done) {
    const Time end = Clock::now() + 20s;
    while (!is_done() && Clock::now() < end) io.run_for(5ms), io.restart();
    return is_done();
  }
  bool until_empty() {
    return until([this] { return producer->outbox().empty(); });
  }

  MockCluster cluster;
  asio::io_context io{1};
  int connections = 0;
  std::vector<KafkaNote> notes;
  std::optional<KafkaProducer> producer;
};

TEST_F(KafkaProducerTest, NamesTheFileOfAPropertyThatCannotBeRead) {
  KafkaOptions options;
  options.properties = {{"security.protocol", "ssl"}, {"ssl.ca.location", "/no/such/ca.pem"}};
  start(options);
  EXPECT_THAT(producer->link().state({}, Clock::now()),
              HasSubstr("; ssl.ca.location: /no/such/ca.pem: No such file or directory"));
}

TEST_F(KafkaProducerTest, DeliversInOrderAndForgetsWhatIsAcknowledged) {
  cluster.create_topic("events");
  start();
  add("a");
  add("b");
  add("c");
  ASSERT_TRUE(until_empty());
  EXPECT_EQ(producer->accepted(), 3U);
  EXPECT_EQ(connections, 1);
  EXPECT_THAT(cluster.keys("events", 3), ElementsAre("a", "b", "c"));
}

TEST_F(KafkaProducerTest, ReplacesAClientThatBrokeForGoodAndSendsAgainWhatWasUnacknowledged) {
  cluster.create_topic("events");
  start();
  add("before");
  ASSERT_TRUE(until_empty());
  cluster.set_down();
  add("unacknowledged 1");
  add("unacknowledged 2");
  rd_kafka_test_fatal_error(producer->handle_for_tests(), RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER,
                            "by the test");
  ASSERT_TRUE(until([this] { return producer->rebuilt() == 1; }));
  add("meanwhile");
  cluster.set_up();
  ASSERT_TRUE(until_empty());
  EXPECT_EQ(producer->accepted(), 4U);
  EXPECT_EQ(connections, 2);
  EXPECT_THAT(notes, Contains(AllOf(Field(&KafkaNote::event, "kafka_rebuilt"),
                                    Field(&KafkaNote::kind, "OUT_OF_ORDER_SEQUENCE_NUMBER"))));
  EXPECT_THAT(cluster.keys("events", 4),
              ElementsAre("before", "unacknowledged 1", "unacknowledged 2", "meanwhile"));
  EXPECT_THAT(cluster.ids("events", 4), ElementsAre("id of before", "id of unacknowledged 1",
                                                    "id of unacknowledged 2", "id of meanwhile"));
}

TEST_F(KafkaProducerTest, SendsAgainWhatWasRefusedForAReasonThatGoesAway) {
  cluster.create_topic("events");
  start();
  cluster.fail_produce({RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED});
  add("a");
  ASSERT_TRUE(until_empty());
  EXPECT_EQ(producer->accepted(), 1U);
  EXPECT_EQ(producer->refused(), 0U);
  EXPECT_THAT(notes, Contains(AllOf(Field(&KafkaNote::event, "kafka_refused"),
                                    Field(&KafkaNote::kind, "TOPIC_AUTHORIZATION_FAILED"),
                                    Field(&KafkaNote::reason,
                                          "topic events: not authorized; allow this user "
                                          "to write to it"))));
  EXPECT_THAT(cluster.keys("events", 1), ElementsAre("a"));
  EXPECT_THAT(cluster.ids("events", 1), ElementsAre("id of a"));
}

TEST_F(KafkaProducerTest, NamesATopicThatDoesNotExistAndSendsOnceItDoes) {
  cluster.set_topic_error("events", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  KafkaOptions options;
  options.properties = {{"topic.metadata.propagation.max.ms", "0"}};
  start(options);
  add("a");
  const auto state = [this] { return producer->link().state({}, Clock::now()); };
  ASSERT_TRUE(until([&] { return state().find("topic events does not exist") == 0; })) << state();
  cluster.set_topic_error("events", RD_KAFKA_RESP_ERR_NO_ERROR);
  ASSERT_TRUE(until_empty());
  EXPECT_EQ(state(), "connected");
}

TEST_F(KafkaProducerTest, SurvivesRetriableErrorsAndALostBroker) {
  cluster.create_topic("events");
  start();
  cluster.fail_produce({RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS,
                        RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION});
  add("a");
  ASSERT_TRUE(until_empty());
  cluster.set_down();
  add("b");
  ASSERT_TRUE(until([this] { return !producer->link().is_connected(); }));
  cluster.set_up();
  ASSERT_TRUE(until_empty());
  EXPECT_EQ(producer->accepted(), 2U);
}

TEST_F(KafkaProducerTest, GivesUpARecordThatWillNeverBeTaken) {
  cluster.create_topic("events");
  start();
  add("large", 2 << 20);
  add("a");
  ASSERT_TRUE(until_empty());
  EXPECT_EQ(producer->refused(), 1U);
  EXPECT_EQ(producer->accepted(), 1U);
}

TEST_F(KafkaProducerTest, KeepsMoreThanTheLibraryTakesUntilThereIsRoom) {
  cluster.create_topic("events");
  KafkaOptions options;
  options.records_max = 10;
  start(options);
  std::vector<std::string> keys;
  keys.reserve(50);
  for (int i = 0; i < 50; ++i) keys.push_back(std::to_string(i));
  for (const std::string& key : keys) add(key);
  EXPECT_TRUE(producer->is_full());
  ASSERT_TRUE(until_empty());
  EXPECT_EQ(cluster.keys("events", 50), keys);
}

TEST_F(KafkaProducerTest, StopsAtOnceWithADeadBrokerAndKeepsCountOfWhatIsLost) {
  start();
  cluster.set_down();
  add("a");
  const Time begin = Clock::now();
  producer->stop(100ms);
  EXPECT_LT(Clock::now() - begin, 5s);
  EXPECT_EQ(producer->outbox().size(), 1U);
}

TEST_F(KafkaProducerTest, SaysWhatKeepsItFromBeginning) {
  KafkaOptions options;
  options.properties = {{"security.protocol", "ssl"}, {"ssl.ca.location", "/nowhere/ca.pem"}};
  start(options);
  EXPECT_THAT(producer->link().state({}, Clock::now()), HasSubstr("ssl.ca.location"));
}

}  // namespace
}  // namespace hotkeyd
