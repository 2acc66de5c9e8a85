// Carries events to a Kafka topic: queue -> records -> producer, and snapshots when they are due.
//
// Every event is sent, also those that a snapshot would heal: the topic is the daemon's history. While no
// broker answers, the producer's outbox fills, then the queue before it, and only what does not fit there is
// dropped and healed by a snapshot. A stop waits for acknowledgements until shortly before its deadline;
// where no connection stands or the broker refuses, for a moment only. One thread (control) but for push()
// and stats(); see Publisher.
#pragma once

#include "io/asio.h"
#include "io/timer.h"
#include "kafka/producer.h"
#include "publisher/error_log.h"
#include "publisher/kafka_records.h"
#include "publisher/kafka_snapshots.h"
#include "publisher/publish_queue.h"
#include "publisher/publisher.h"
#include "publisher/stats_board.h"
#include "publisher/waker.h"

namespace hotkeyd {

class KafkaPublisher final : public Publisher {
 public:
  KafkaPublisher(asio::io_context& io, PublisherOptions options, const PublisherIdentity& identity,
                 PublisherHooks hooks);
  ~KafkaPublisher() override;

  void start() override;
  void push(PublishItem item) override;
  PublisherStats stats() const override { return board_.read(); }
  void stop(Duration deadline, Stopped stopped) override;
  bool wants_history() const override { return true; }

  KafkaProducer& producer_for_tests() { return producer_; }

 private:
  enum class State { idle, running, draining, stopped };

  bool is_active() const { return state_ == State::running || state_ == State::draining; }
  void pump();
  void take_items(const Now& now);
  void take_one(const NamespaceOpened& opened, const Now& now);
  void take_one(const PublishedEvent& event, const Now& now);
  void take_one(const PublishedSnapshot& snapshot, const Now& now);
  void take_one(const StreamGap& gap, const Now& now);
  void ask_snapshots(const Now& now);
  void note(const KafkaNote& note);
  void judge(Time now);
  void publish_stats(Time now);
  void arm(Time now);
  void drain(Time now);
  void finish(bool drained);

  const PublisherOptions options_;
  const PublisherHooks hooks_;
  PublishQueue queue_;
  StatsBoard board_;
  const KafkaRecordWriter writer_;
  KafkaSnapshots snapshots_;
  KafkaProducer producer_;
  ErrorLog errors_;
  Timer timer_;
  Timer deadline_;
  bool is_awaited_ = false;  // In a drain: a connection stood, if only for a while.
  Time drain_until_{};
  Time connect_until_{};
  State state_ = State::idle;
  Stopped stopped_;
  KafkaOutbox::Id synced_by_ = 0;  // The last record of a snapshot.
  bool up_ = false;
  std::uint64_t lost_events_ = 0;
  Waker waker_;
};

}  // namespace hotkeyd
