#include "kafka/outbox.h"

#include <gmock/gmock.h>

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

KafkaRecord record(const std::string& text) {
  return {text, std::make_shared<const std::string>(text), {}, 0};
}

// Hands out every unsent record, and says which.
std::vector<std::string> send_all(KafkaOutbox& outbox) {
  std::vector<std::string> keys;
  while (const auto next = outbox.next_unsent()) {
    keys.push_back(next->second->key);
    outbox.sent(next->first);
  }
  return keys;
}

TEST(KafkaOutbox, HandsOutEachRecordOnceInOrder) {
  KafkaOutbox outbox(10, 1000000);
  outbox.add(record("a"), Time{1s});
  outbox.add(record("b"), Time{2s});
  EXPECT_THAT(send_all(outbox), ElementsAre("a", "b"));
  EXPECT_THAT(send_all(outbox), IsEmpty());
  EXPECT_EQ(outbox.size(), 2U);
  EXPECT_EQ(outbox.oldest_since(), Time{1s});
}

TEST(KafkaOutbox, HandsOutAgainWhatIsUnacknowledgedAtItsOldPlace) {
  KafkaOutbox outbox(10, 1000000);
  const auto a = outbox.add(record("a"), Time{});
  const auto b = outbox.add(record("b"), Time{});
  outbox.add(record("c"), Time{});
  send_all(outbox);
  EXPECT_TRUE(outbox.remove(b));
  EXPECT_FALSE(outbox.remove(b));
  outbox.take_back(b);
  EXPECT_THAT(send_all(outbox), IsEmpty());
  outbox.add(record("d"), Time{});
  outbox.take_back(a);
  EXPECT_THAT(send_all(outbox), ElementsAre("a", "d"));
  outbox.take_back_all();
  EXPECT_THAT(send_all(outbox), ElementsAre("a", "c", "d"));
}

TEST(KafkaOutbox, IsFullByNumberAndByBytesUntilRecordsLeave) {
  KafkaOutbox by_number(2, 1000000);
  const auto first = by_number.add(record("a"), Time{});
  EXPECT_FALSE(by_number.is_full());
  by_number.add(record("b"), Time{});
  EXPECT_TRUE(by_number.is_full());
  EXPECT_TRUE(by_number.remove(first));
  EXPECT_FALSE(by_number.is_full());

  KafkaOutbox by_bytes(100, 1000);
  const auto large = by_bytes.add(record(std::string(600, 'x')), Time{});
  EXPECT_TRUE(by_bytes.is_full());
  EXPECT_TRUE(by_bytes.remove(large));
  EXPECT_EQ(by_bytes.bytes(), 0U);
  EXPECT_TRUE(by_bytes.empty());
}

TEST(KafkaOutbox, KnowsWhetherItIsPastARecord) {
  KafkaOutbox outbox(10, 1000000);
  EXPECT_TRUE(outbox.is_past(0));
  const auto a = outbox.add(record("a"), Time{});
  const auto b = outbox.add(record("b"), Time{});
  EXPECT_TRUE(outbox.remove(b));
  EXPECT_FALSE(outbox.is_past(b));
  EXPECT_TRUE(outbox.remove(a));
  EXPECT_TRUE(outbox.is_past(b));
}

}  // namespace
}  // namespace hotkeyd
