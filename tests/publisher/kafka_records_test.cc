#include "publisher/kafka_records.h"

#include <gmock/gmock.h>

namespace hotkeyd {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

const KafkaRecordWriter kWriter("web-17", 7);

std::shared_ptr<const std::string> shared(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

Headers headers(std::string id, std::string type) {
  return {{"content-type", "application/cloudevents+json"},
          {"ce_id", std::move(id)},
          {"ce_type", std::move(type)}};
}

TEST(KafkaRecords, CarryTheBytesOfTheEventUnderTheRawKey) {
  const std::string key("a|\0\r\n\xff", 6);
  const PublishedEvent event{"shop", EventType::promoted, 42, key, shared("the event"), "data", 1};
  const KafkaRecord record = kWriter.write(event, 1234);
  EXPECT_EQ(record.key, "shop|" + key);
  EXPECT_EQ(record.value, event.bytes);
  EXPECT_EQ(record.created_ms, 1234);
  EXPECT_EQ(record.headers, headers("web-17/7/shop/42", "hotkey.promoted"));
}

TEST(KafkaRecords, OfTheWholeStreamLieUnderTheNode) {
  const PublishedEvent event{"shop", EventType::rules_changed, 43, "", shared("the event"), "", 1};
  const KafkaRecord record = kWriter.write(event, 1234);
  EXPECT_EQ(record.key, "shop|web-17");
  EXPECT_EQ(record.headers, headers("web-17/7/shop/43", "hotkey.rules_changed"));
}

TEST(KafkaRecords, HoldOnePartOfASnapshotEach) {
  const PublishedSnapshot snapshot{"shop", 5, 999, {}, {shared("one"), shared("two")}};
  const auto records = kWriter.write(snapshot, 1234);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].key, "shop|web-17");
  EXPECT_EQ(records[1].key, "shop|web-17");
  EXPECT_EQ(*records[1].value, "two");
  EXPECT_EQ(records[0].headers, headers("web-17/7/shop/5/snapshot/999/1", "hotkey.snapshot"));
  EXPECT_EQ(records[1].headers, headers("web-17/7/shop/5/snapshot/999/2", "hotkey.snapshot"));
}

}  // namespace
}  // namespace hotkeyd
