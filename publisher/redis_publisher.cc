#include "publisher/redis_publisher.h"

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kItemsPerRound = 256;
constexpr int kRoundsPerPump = 16;  // Then other work of the thread has its turn.

RedisConnectionOptions connection_options(const PublisherOptions& options) {
  RedisConnectionOptions connection;
  connection.endpoint = options.endpoint;
  return connection;
}

RedisPlanOptions plan_options(const PublisherOptions& options, Duration lease) {
  RedisPlanOptions plan;
  plan.heartbeat = options.heartbeat.value_or(std::min<Duration>(std::chrono::seconds{3}, lease / 3));
  plan.kept_events_max = options.queue_events_max;
  plan.kept_bytes_max = options.queue_bytes_max;
  return plan;
}

}  // namespace

RedisPublisher::RedisPublisher(asio::io_context& io, PublisherOptions options, PublisherIdentity identity,
                               PublisherHooks hooks)
    : options_(std::move(options)),
      identity_(std::move(identity)),
      hooks_(std::move(hooks)),
      queue_(options_.queue_events_max, options_.queue_bytes_max),
      board_(queue_),
      plan_(identity_, plan_options(options_, identity_.lease)),
      connection_(io, connection_options(options_),
                  {[this] { ready(); }, [this](const RedisLost& why) { lost(why); }, {}}),
      timer_(io),
      deadline_(io),
      waker_(io, [this] { pump(); }) {
  publish_stats();
  if (!options_.relay || !hooks_.relay) return;
  relay_.emplace(io, connection_options(options_), identity_, hooks_.relay,
                 [this](const ErrorLine& line) { perform_one(line); });
}

RedisPublisher::~RedisPublisher() = default;

void RedisPublisher::start() {
  state_ = State::running;
  waker_.wake();
}

void RedisPublisher::push(PublishItem item) {
  queue_.push(std::move(item));
  waker_.wake();
}

void RedisPublisher::pump() {
  if (!is_active()) return;
  const Now now = read_clocks();
  take_items(now);
  plan_.advance(now);
  perform();
  publish_stats();
  if (state_ == State::draining && queue_.size() == 0 && plan_.is_drained()) return finish(true);
  arm();
}

void RedisPublisher::take_items(const Now& now) {
  for (int round = 0; round < kRoundsPerPump && plan_.wants_items(); ++round) {
    std::vector<PublishItem> items = queue_.take(kItemsPerRound);
    if (items.empty()) return;
    for (PublishItem& item : items) {
      follow(item);
      plan_.offer(std::move(item), now);
    }
    plan_.advance(now);
    perform();
  }
  if (plan_.wants_items() && queue_.size() > 0) waker_.wake();
}

void RedisPublisher::follow(const PublishItem& item) {
  if (!relay_) return;
  std::visit([this](const auto& any) { relay_->follow(any.ns); }, item);
}

void RedisPublisher::perform() {
  for (const PlanAction& action : plan_.take_actions()) {
    std::visit([this](const auto& one) { perform_one(one); }, action);
  }
}

void RedisPublisher::perform_one(const OpenConnection&) { connection_.open(); }

void RedisPublisher::perform_one(const CloseConnection&) {
  connection_.close();
  if (relay_) relay_->server_is_reachable(false);
}

void RedisPublisher::perform_one(const SendCommands& action) {
  const bool sent = connection_.send(
      action.commands, [this](std::vector<RedisReply> replies) { replied(std::move(replies)); });
  if (sent || !connection_.is_ready()) return;
  connection_.close();
  plan_.lost({RedisFailure::connection, "more is unanswered than allowed"}, Clock::now());
}

void RedisPublisher::perform_one(const RequestSnapshot& action) { hooks_.request_snapshot(action.ns); }

void RedisPublisher::perform_one(const ErrorLine& line) {
  const std::string address = options_.endpoint.address();
  log_warning(line.event, {{"sink", options_.name},
                           {"address", address},
                           {"ns", line.ns.empty() ? "*" : line.ns},
                           {"reason", line.reason},
                           {"held_back", line.held_back}});
}

void RedisPublisher::ready() {
  plan_.connected(Clock::now());
  if (relay_) relay_->server_is_reachable(true);
  pump();
}

void RedisPublisher::lost(const RedisLost& lost) {
  plan_.lost(lost, Clock::now());
  if (relay_) relay_->server_is_reachable(false);
  pump();
}

void RedisPublisher::replied(std::vector<RedisReply> replies) {
  plan_.replied(std::move(replies), read_clocks());
  pump();
}

void RedisPublisher::arm() {
  const Time wake_at = plan_.next_wake(Clock::now());
  if (wake_at == Time::max()) return timer_.cancel();
  timer_.start(wake_at, [this] { pump(); });
}

void RedisPublisher::publish_stats() {
  PublisherStats now = plan_.stats();
  now.sink = options_.name;
  if (now.up && !was_up_)
    log_info("redis_connected", {{"sink", now.sink}, {"address", options_.endpoint.address()}});
  was_up_ = now.up;
  board_.put(std::move(now));
}

void RedisPublisher::stop(Duration deadline, Stopped stopped) {
  stopped_ = std::move(stopped);
  const bool ran = is_active();
  state_ = State::draining;
  plan_.drain();
  deadline_.start(Clock::now() + (ran ? deadline : Duration::zero()), [this, ran] { finish(!ran); });
  if (ran) waker_.wake();
}

void RedisPublisher::finish(bool drained) {
  if (state_ == State::stopped) return;
  state_ = State::stopped;
  timer_.cancel();
  deadline_.cancel();
  connection_.close();
  if (relay_) relay_->stop();
  if (auto stopped = std::exchange(stopped_, {})) stopped(drained);
}

}  // namespace hotkeyd
