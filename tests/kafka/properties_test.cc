#include "kafka/properties.h"

#include <gmock/gmock.h>

namespace hotkeyd {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(KafkaProperties, AreThoseOfTheLibrary) {
  EXPECT_EQ(check_kafka_property("linger.ms", "5"), std::nullopt);
  EXPECT_EQ(check_kafka_property("security.protocol", "SSL"), std::nullopt);
  EXPECT_EQ(check_kafka_property("compression.codec", "lz4"), std::nullopt);
  EXPECT_TRUE(check_kafka_property("linger", "5")->concerns_name);
  EXPECT_FALSE(check_kafka_property("linger.ms", "5 ms")->concerns_name);
}

TEST(KafkaProperties, ThatHotkeydSetsOrThatRunForeignCodeAreRefusedByName) {
  for (const char* name :
       {"acks", "bootstrap.servers", "enable.idempotence", "message.timeout.ms", "partitioner",
        "queue.buffering.max.kbytes", "plugin.library.paths", "sasl.kerberos.kinit.cmd", "dr_msg_cb",
        "open_cb", "test.mock.num.brokers", "group.id", "auto.offset.reset"}) {
    const auto problem = check_kafka_property(name, "1");
    ASSERT_TRUE(problem) << name;
    EXPECT_TRUE(problem->concerns_name) << name;
  }
}

TEST(KafkaProperties, AreSuggestedOnlyWhereTheyMayBeSet) {
  EXPECT_THAT(kafka_property_names(), Contains("linger.ms"));
  EXPECT_THAT(kafka_property_names(), Not(Contains("group.id")));
  EXPECT_THAT(kafka_property_names(), Not(Contains(HasSubstr("_cb"))));
}

TEST(KafkaProperties, NeverShowASecret) {
  for (const char* name : {"sasl.password", "ssl.key.password", "ssl.key.pem", "ssl.keystore.password",
                           "sasl.oauthbearer.client.secret", "sasl.oauthbearer.config"}) {
    EXPECT_TRUE(is_kafka_secret(name)) << name;
  }
  EXPECT_FALSE(is_kafka_secret("sasl.username"));
  EXPECT_THAT(check_kafka_property("linger.ms", "s3cr3t")->reason, Not(HasSubstr("s3cr3t")));
}

}  // namespace
}  // namespace hotkeyd
