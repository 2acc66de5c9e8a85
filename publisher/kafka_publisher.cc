#include "publisher/kafka_publisher.h"

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kKafkaItemsPerRound = 64;
constexpr int kKafkaRoundsPerPump = 16;  // Then other work of the thread has its turn.
constexpr Duration kPurgeMargin =
    500ms;  // Before the deadline: to give up what is unsent, and end the client.
constexpr Duration kPurgePatience = 100ms;
constexpr Duration kConnectPatience = 1s;  // Of a stop, where no connection stands.
constexpr Duration kLookAgain = 1s;        // Of the figures, while something waits.
constexpr int kWarning = 4;                // As syslog counts.

}  // namespace

KafkaPublisher::KafkaPublisher(asio::io_context& io, PublisherOptions options,
                               const PublisherIdentity& identity, PublisherHooks hooks)
    : options_(std::move(options)),
      hooks_(std::move(hooks)),
      queue_(options_.queue_events_max, options_.queue_bytes_max),
      board_(queue_),
      writer_(identity.node, identity.epoch),
      snapshots_({}, identity.seed),
      producer_(io, options_.kafka, identity.seed,
                {[this] { pump(); }, [this] { snapshots_.connected(Clock::now()); },
                 [this](const KafkaNote& one) { note(one); }}),
      timer_(io),
      deadline_(io),
      waker_(io, [this] { pump(); }) {
  publish_stats(Clock::now());
}

KafkaPublisher::~KafkaPublisher() = default;

void KafkaPublisher::start() {
  state_ = State::running;
  take_items(read_clocks());
  snapshots_.begin();
  producer_.start();
  waker_.wake();
}

void KafkaPublisher::push(PublishItem item) {
  queue_.push(std::move(item));
  waker_.wake();
}

void KafkaPublisher::pump() {
  if (!is_active()) return;
  const Now now = read_clocks();
  if (!producer_.link().is_connected()) snapshots_.disconnected();
  take_items(now);
  ask_snapshots(now);
  judge(now.steady);
  publish_stats(now.steady);
  state_ == State::draining ? drain(now.steady) : arm(now.steady);
}

void KafkaPublisher::take_items(const Now& now) {
  for (int round = 0; round < kKafkaRoundsPerPump && !producer_.is_full(); ++round) {
    const std::vector<PublishItem> items = queue_.take(kKafkaItemsPerRound);
    if (items.empty()) return;
    for (const PublishItem& item : items) {
      std::visit([&](const auto& one) { take_one(one, now); }, item);
    }
  }
  if (!producer_.is_full() && queue_.size() > 0) waker_.wake();
}

void KafkaPublisher::take_one(const NamespaceOpened& opened, const Now& now) {
  snapshots_.opened(opened.ns, now.steady);
}

void KafkaPublisher::take_one(const PublishedEvent& event, const Now& now) {
  snapshots_.event(event.ns, now.steady);
  producer_.add(writer_.write(event, now.unix_ms), now);
}

void KafkaPublisher::take_one(const PublishedSnapshot& snapshot, const Now& now) {
  snapshots_.came(snapshot.ns, snapshot.entries.empty(), now.steady);
  for (KafkaRecord& record : writer_.write(snapshot, now.unix_ms)) {
    synced_by_ = producer_.add(std::move(record), now);
  }
}

void KafkaPublisher::take_one(const StreamGap& gap, const Now& now) { snapshots_.gap(gap.ns, now.steady); }

void KafkaPublisher::ask_snapshots(const Now& now) {
  if (state_ != State::running) return;
  for (const std::string& ns : snapshots_.take_due(now.steady)) hooks_.request_snapshot(ns);
}

void KafkaPublisher::note(const KafkaNote& note) {
  const bool is_debug = note.level > kWarning || (note.event == "kafka_said" && note.kind == "FAIL");
  const std::string kind = (is_debug ? "debug " : "") + note.event + ' ' + note.kind;
  const auto line = errors_.admit(kind, {note.event, "", note.reason, 0}, Clock::now());
  if (!line) return;
  const LogFields fields{{"sink", options_.name},
                         {"topic", options_.kafka.topic},
                         {"kind", note.kind},
                         {"reason", line->reason},
                         {"held_back", line->held_back}};
  is_debug ? log_debug(line->event, fields) : log_warning(line->event, fields);
}

// Up from when every namespace's snapshot is acknowledged until records do not flow.
void KafkaPublisher::judge(Time now) {
  const bool flows = producer_.link().flows(producer_.outbox().oldest_since(), now);
  const bool is_synced = snapshots_.all_came() && producer_.outbox().is_past(synced_by_);
  const bool was_up = std::exchange(up_, flows && (up_ || is_synced));
  if (up_ && !was_up) log_info("kafka_connected", {{"sink", options_.name}, {"topic", options_.kafka.topic}});
}

void KafkaPublisher::arm(Time now) {
  Time when = snapshots_.next_wake();
  if (!producer_.outbox().empty()) when = std::min(when, now + kLookAgain);
  if (when == Time::max()) return timer_.cancel();
  timer_.start(when, [this] { pump(); });
}

void KafkaPublisher::publish_stats(Time now) {
  const KafkaOutbox& outbox = producer_.outbox();
  PublisherStats fresh;
  fresh.sink = options_.name;
  fresh.events = producer_.accepted();
  fresh.queue_events = outbox.size();
  fresh.queue_bytes = outbox.bytes();
  fresh.up = up_;
  fresh.state = producer_.link().state(outbox.oldest_since(), now);
  if (fresh.state == "connected" && !up_) fresh.state = "connected; snapshots follow";
  if (producer_.refused() > 0) fresh.failed_events["refused_by_server"] = producer_.refused();
  if (lost_events_ > 0) fresh.failed_events["connection"] = lost_events_;
  board_.put(std::move(fresh));
}

void KafkaPublisher::stop(Duration deadline, Stopped stopped) {
  stopped_ = std::move(stopped);
  const Time now = Clock::now();
  if (is_active()) {
    drain_until_ = now + std::max(deadline - kPurgeMargin, deadline / 2);
    connect_until_ = std::min(drain_until_, now + kConnectPatience);
  }
  state_ = State::draining;
  waker_.wake();
}

void KafkaPublisher::drain(Time now) {
  if (queue_.size() == 0 && producer_.outbox().empty()) return finish(true);
  const KafkaLink& link = producer_.link();
  is_awaited_ |= link.is_connected();
  const bool is_hopeless = link.is_refused() || !link.is_connected();
  const Time until = is_awaited_ && !link.is_refused() ? drain_until_ : connect_until_;
  if (now >= until) return finish(is_hopeless);
  deadline_.start(until, [this] { pump(); });
}

void KafkaPublisher::finish(bool drained) {
  if (state_ == State::stopped) return;
  state_ = State::stopped;
  timer_.cancel();
  deadline_.cancel();
  producer_.stop(kPurgePatience);
  lost_events_ = producer_.outbox().size() + queue_.size();
  if (lost_events_ > 0) {
    log_warning("kafka_events_lost", {{"sink", options_.name},
                                      {"events", lost_events_},
                                      {"cause", "the broker did not take them before the end"}});
  }
  publish_stats(Clock::now());
  if (auto stopped = std::exchange(stopped_, {})) stopped(drained);
}

}  // namespace hotkeyd
