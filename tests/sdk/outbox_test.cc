#include "sdk/cpp/src/outbox.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "sdk/cpp/src/drain.h"
#include "sdk/cpp/src/flush_timer.h"
#include "sdk/cpp/src/invalidations.h"

namespace hotkeyd::sdk {
namespace {

using std::chrono::milliseconds;
constexpr Time kStart{};

Growth reads(std::string_view key, std::uint64_t count) { return {.key = key, .reads = count}; }

// (seq, accesses, TOTALS recorded, TOTALS dropped) of the next batch to send.
using Sent = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;
Sent send(Outbox& outbox) {
  const OutgoingBatch* batch = outbox.next_to_send();
  if (batch == nullptr) return {};
  return {batch->seq, batch->accesses, batch->recorded, batch->dropped};
}

void batch(Outbox& outbox, std::uint64_t accesses, std::uint64_t dropped = 0) {
  ASSERT_TRUE(outbox.add(reads("k", accesses), kStart));
  outbox.seal(dropped);
}

TEST(Outbox, NumbersBatchesWithoutGapsAndTellsTheTotals) {
  Outbox outbox;
  batch(outbox, 10);
  outbox.seal(0);  // Nothing to seal: no number is used.
  batch(outbox, 5, 3);

  EXPECT_EQ(send(outbox), Sent(1, 10, 10, 0));
  EXPECT_EQ(send(outbox), Sent(2, 5, 18, 3));
  EXPECT_EQ(send(outbox), Sent());
}

TEST(Outbox, KeepsAtMostFourUnacknowledgedBatches) {
  Outbox outbox;
  for (int i = 0; i < 4; ++i) batch(outbox, 1);
  EXPECT_FALSE(outbox.add(reads("k", 1), kStart));

  outbox.acknowledge(1);
  EXPECT_TRUE(outbox.add(reads("k", 1), kStart));
  EXPECT_EQ(outbox.acknowledged(), 1U);
}

TEST(Outbox, BoundsABatchInRowsAndBytes) {
  Outbox outbox;
  for (std::size_t i = 0; i < Outbox::kRowsMax; ++i) ASSERT_TRUE(outbox.add(reads("k", 1), kStart));
  EXPECT_FALSE(outbox.add(reads("k", 1), kStart));
  outbox.seal(0);

  const std::string big(65'536, 'x');
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(outbox.add(reads(big, 1), kStart));
  EXPECT_FALSE(outbox.add(reads("k", 1), kStart));
}

TEST(Outbox, RemembersTheOldestAccessOfABatch) {
  Outbox outbox;
  outbox.add(reads("a", 1), kStart + milliseconds(7));
  outbox.add(reads("b", 1), kStart + milliseconds(5));
  outbox.add(reads("c", 1), kStart + milliseconds(6));
  outbox.seal(0);
  EXPECT_EQ(outbox.next_to_send()->oldest, kStart + milliseconds(5));
}

TEST(Outbox, SendsAgainAfterALostConnectionWithTheSameNumbers) {
  Outbox outbox;
  batch(outbox, 10);
  batch(outbox, 20);
  send(outbox);
  send(outbox);
  outbox.acknowledge(1);
  outbox.connection_lost();

  EXPECT_EQ(send(outbox), Sent(2, 20, 30, 0));
  outbox.acknowledge(2);
  outbox.acknowledge(2);
  EXPECT_EQ(outbox.acknowledged(), 30U);
  EXPECT_TRUE(outbox.empty());
}

TEST(Outbox, SendsTheNumberOfARefusedBatchAgainEmptyAndCountsItsAccessesAsDropped) {
  Outbox outbox;
  batch(outbox, 10);
  batch(outbox, 20);
  send(outbox);
  send(outbox);
  outbox.refuse(1);
  outbox.acknowledge(2);
  batch(outbox, 1);

  EXPECT_EQ(outbox.dropped(), 10U);
  EXPECT_EQ(send(outbox), Sent(1, 0, 10, 10));
  EXPECT_EQ(send(outbox), Sent(3, 1, 31, 10));
  outbox.acknowledge(1);
  EXPECT_EQ(outbox.acknowledged(), 20U);
}

TEST(Outbox, TriesANumberThatIsRefusedEvenEmptyOncePerFlush) {
  Outbox outbox;
  batch(outbox, 10);
  send(outbox);
  outbox.refuse(1);
  send(outbox);
  outbox.refuse(1);

  EXPECT_TRUE(outbox.is_refused());
  EXPECT_EQ(send(outbox), Sent());
  outbox.retry_refused();
  EXPECT_EQ(send(outbox), Sent(1, 0, 10, 10));
  EXPECT_EQ(outbox.dropped(), 10U);
}

class Draining {
 public:
  void record(std::string_view key, int times = 1) {
    for (int i = 0; i < times; ++i)
      recorder_->add(key, std::hash<std::string_view>{}(key), {.reads_misses = 1});
  }
  void record_keys(int keys) {
    for (int i = 0; i < keys; ++i) record("key:" + std::to_string(next_++));
  }
  RecorderPool pool;
  Outbox outbox;
  Drain drain{pool, outbox};

 private:
  Recorder* recorder_ = pool.acquire();
  int next_ = 0;
};

TEST(Drain, CutsWhatWasRecordedIntoBatches) {
  Draining d;
  d.record_keys(600);
  d.record("");
  d.drain.flush(true, kStart);

  EXPECT_EQ(send(d.outbox), Sent(1, 512, 513, 1));
  EXPECT_EQ(send(d.outbox), Sent(2, 88, 601, 1));
  EXPECT_FALSE(d.drain.is_held());
}

TEST(Drain, LeavesInTheTablesWhatFindsNoRoomAndSendsItWhenThereIs) {
  Draining d;
  for (int i = 0; i < 4; ++i) {
    d.record("k");
    d.drain.flush(true, kStart);
  }
  d.record("late", 3);
  d.drain.flush(true, kStart);
  EXPECT_TRUE(d.drain.is_held());
  EXPECT_EQ(d.drain.dropped(), 0U);

  d.outbox.acknowledge(1);
  d.drain.flush(true, kStart);
  EXPECT_FALSE(d.drain.is_held());
  for (int i = 0; i < 3; ++i) send(d.outbox);
  EXPECT_EQ(send(d.outbox), Sent(5, 3, 7, 0));
}

TEST(Drain, DropsAndCountsWhatFindsNoRoomWhileTheDaemonIsAway) {
  Draining d;
  for (int i = 0; i < 6; ++i) {
    d.record("k", 10);
    d.drain.flush(false, kStart);
  }
  EXPECT_EQ(d.outbox.unacknowledged(), 4U);
  EXPECT_EQ(d.drain.dropped(), 20U);

  d.outbox.acknowledge(1);
  d.record("k");
  d.drain.flush(true, kStart);
  for (int i = 0; i < 3; ++i) send(d.outbox);
  EXPECT_EQ(send(d.outbox), Sent(5, 1, 61, 20));
}

TEST(Drain, DropsWhatWaitedTooLongForASlowDaemon) {
  Draining d;
  for (int i = 0; i < 5; ++i) {
    d.record("k");
    d.drain.flush(true, kStart);
  }
  d.drain.flush(true, kStart + Drain::kWaitMax - milliseconds(1));
  EXPECT_EQ(d.drain.dropped(), 0U);
  d.drain.flush(true, kStart + Drain::kWaitMax);
  EXPECT_EQ(d.drain.dropped(), 1U);
  EXPECT_FALSE(d.drain.is_held());
}

TEST(FlushTimer, IsDueEachIntervalAndEarlierWhenWished) {
  FlushTimer timer(milliseconds(100), kStart);
  const Time now = kStart + milliseconds(1);
  EXPECT_EQ(timer.due({}, now), kStart + milliseconds(100));
  EXPECT_EQ(timer.due({.early = true}, now), kStart + milliseconds(10));
  EXPECT_EQ(timer.due({.early = true, .room = true}, now), kStart + milliseconds(1));
  EXPECT_EQ(timer.due({.now = true}, kStart), kStart);

  timer.flushed(kStart + milliseconds(10));
  EXPECT_EQ(timer.due({.early = true}, now), kStart + milliseconds(20));
}

using Keys = std::vector<std::string>;

TEST(Invalidations, HandsOutKeysInOrderOneCommandAtATime) {
  Invalidations queue;
  for (std::size_t i = 0; i < Invalidations::kCommandKeysMax + 1; ++i) queue.push(std::to_string(i));

  EXPECT_EQ(queue.take().size(), Invalidations::kCommandKeysMax);
  EXPECT_EQ(queue.take(), Keys());
  queue.answered();
  EXPECT_EQ(queue.take(), Keys{std::to_string(Invalidations::kCommandKeysMax)});
  queue.answered();
  EXPECT_TRUE(queue.empty());
}

TEST(Invalidations, GivesAgainWhatALostConnectionLeftUnanswered) {
  Invalidations queue;
  queue.push("a");
  queue.take();
  queue.connection_lost();
  queue.push("b");
  EXPECT_EQ(queue.take(), (Keys{"a", "b"}));
}

TEST(Invalidations, IsBoundedInKeysAndBytes) {
  Invalidations queue;
  for (std::size_t i = 0; i < Invalidations::kKeysMax; ++i) ASSERT_TRUE(queue.push("k"));
  EXPECT_FALSE(queue.push("k"));

  Invalidations other;
  const std::string big(65'536, 'x');
  for (int i = 0; i < 16; ++i) ASSERT_TRUE(other.push(big));
  EXPECT_FALSE(other.push("k"));
  EXPECT_EQ(other.take().size(), 4U);
}

}  // namespace
}  // namespace hotkeyd::sdk
