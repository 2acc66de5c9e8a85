// Carries events to Redis: the thin edge around RedisPlan, which decides everything.
//
// It moves items from the queue into the plan, does the actions the plan returns, and tells the plan what
// came of them and what time it is. One thread (control) but for push() and stats(); see Publisher.
#pragma once

#include <optional>
#include <string>

#include "io/asio.h"
#include "io/timer.h"
#include "publisher/publish_queue.h"
#include "publisher/publisher.h"
#include "publisher/redis_plan.h"
#include "publisher/redis_relay.h"
#include "publisher/stats_board.h"
#include "publisher/waker.h"
#include "redis/connection.h"

namespace hotkeyd {

class RedisPublisher final : public Publisher {
 public:
  RedisPublisher(asio::io_context& io, PublisherOptions options, PublisherIdentity identity,
                 PublisherHooks hooks);
  ~RedisPublisher() override;

  void start() override;
  void push(PublishItem item) override;
  PublisherStats stats() const override { return board_.read(); }
  void stop(Duration deadline, Stopped stopped) override;

 private:
  enum class State { idle, running, draining, stopped };

  bool is_active() const { return state_ == State::running || state_ == State::draining; }
  void pump();
  void take_items(const Now& now);
  void follow(const PublishItem& item);
  void perform();
  void perform_one(const OpenConnection&);
  void perform_one(const CloseConnection&);
  void perform_one(const SendCommands& action);
  void perform_one(const RequestSnapshot& action);
  void perform_one(const ErrorLine& line);
  void ready();
  void lost(const RedisLost& lost);
  void replied(std::vector<RedisReply> replies);
  void arm();
  void publish_stats();
  void finish(bool drained);

  const PublisherOptions options_;
  const PublisherIdentity identity_;
  const PublisherHooks hooks_;
  PublishQueue queue_;
  StatsBoard board_;
  RedisPlan plan_;
  RedisConnection connection_;
  std::optional<RedisRelay> relay_;
  Timer timer_;
  Timer deadline_;
  State state_ = State::idle;
  Stopped stopped_;
  bool was_up_ = false;
  Waker waker_;
};

}  // namespace hotkeyd
