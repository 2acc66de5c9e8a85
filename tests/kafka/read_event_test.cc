#include "kafka/read_event.h"

#include <gmock/gmock.h>

#include "kafka/client.h"

namespace hotkeyd {
namespace {

TEST(KafkaReadEvent, JudgesWhatBecameOfARecord) {
  EXPECT_EQ(delivery_of(7, RD_KAFKA_RESP_ERR_NO_ERROR, "t"),
            (KafkaDelivery{7, KafkaVerdict::accepted, "", ""}));
  EXPECT_EQ(delivery_of(7, RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, "t"),
            (KafkaDelivery{7, KafkaVerdict::refused, "MSG_SIZE_TOO_LARGE",
                           "topic t: Broker: Message size too large"}));
  EXPECT_EQ(delivery_of(7, RD_KAFKA_RESP_ERR__QUEUE_FULL, "t").verdict, KafkaVerdict::busy);
  EXPECT_EQ(delivery_of(7, RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC, "t"),
            (KafkaDelivery{7, KafkaVerdict::try_again, "_UNKNOWN_TOPIC",
                           "topic t does not exist: create it, or let the broker create topics by itself"}));
}

TEST(KafkaReadEvent, FindsABrokerThatIsUpInTheStatistics) {
  EXPECT_TRUE(has_broker_up(R"({"brokers":{"a":{"state":"DOWN"},"b":{"state":"UP","x":1}}})"));
  EXPECT_FALSE(has_broker_up(R"({"brokers":{"a":{"state":"UPDATE"},"b":{"state":"INIT"}}})"));
}

TEST(KafkaClient, IsIdempotentFromTheVersionOnThatSurvivesIt) {
  EXPECT_FALSE(kafka_is_idempotent(0x020002ff));
  EXPECT_FALSE(kafka_is_idempotent(0x0202ffff));
  EXPECT_TRUE(kafka_is_idempotent(0x020300ff));
}

}  // namespace
}  // namespace hotkeyd
