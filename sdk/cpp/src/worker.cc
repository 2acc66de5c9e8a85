#include "sdk/cpp/src/worker.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <array>

#include "sdk/cpp/src/near_feed.h"
#include "sdk/cpp/src/public_event.h"

namespace hotkeyd::sdk {
namespace {

constexpr Duration kBackoffMin = std::chrono::milliseconds(50);
constexpr Duration kBackoffMax = std::chrono::seconds(3);
constexpr Duration kConnectMax = std::chrono::seconds(5);
constexpr Duration kLookupPoll = std::chrono::milliseconds(20);
constexpr Duration kSleepMax = std::chrono::seconds(1);
constexpr std::size_t kReadBytes = 64 * 1024;

// The application's signals are for the application's threads.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

Worker::Worker(WorkerOptions options, WorkerShared shared, HotStream::Hash hash)
    : options_(std::move(options)),
      shared_(shared),
      connection_(options_.endpoint),
      stream_(std::move(hash)),
      session_(options_.session, outbox_, stream_, shared_.invalidations, *this),
      drain_(shared_.pool, outbox_),
      timer_(options_.flush_interval, Clock::now()),
      backoff_(kBackoffMin, kBackoffMax, options_.seed) {
  const SignalsBlocked blocked;
  thread_ = std::thread([this] { run(); });
}

Worker::~Worker() {
  shared_.doorbell.ring(Wish::stop);
  thread_.join();
}

bool Worker::wait(std::chrono::milliseconds timeout, const std::function<bool()>& is_done) {
  std::unique_lock lock(wait_mutex_);
  return settled_.wait_for(lock, timeout, is_done);
}

void Worker::run() {
  pthread_setname_np(pthread_self(), "hotkey");
  while (!is_last_flush_over(Clock::now())) step();
}

void Worker::step() {
  sleep_until(deadline(Clock::now()));
  const Time now = Clock::now();
  if (stopping_at_ == Time::max() && shared_.doorbell.is_wished(Wish::stop)) {
    stopping_at_ = now + kLastFlush;
    shared_.doorbell.ring(Wish::now);
  }
  shared_.doorbell.answer(Wish::send);
  advance(now);
  flush_if_due(now);
  exchange_bytes(now);
  end_lease(now);
  settle();
}

void Worker::sleep_until(Time deadline) {
  const Duration left = std::clamp<Duration>(deadline - Clock::now(), Duration::zero(), kSleepMax);
  const auto timeout = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  const bool is_connecting = connection_.state() == Connection::State::connecting;
  const int interest = POLLIN | (is_connecting || !session_.output().empty() ? POLLOUT : 0);
  std::array<pollfd, 2> polled{
      {{shared_.doorbell.fd(), POLLIN, 0},
       {connection_.fd(), static_cast<short>(is_connecting ? POLLOUT : interest), 0}}};
  const int ready = ::poll(polled.data(), polled.size(), static_cast<int>(timeout));
  is_polled_ready_ = ready > 0 && polled[1].revents != 0;
  if (ready > 0 && polled[0].revents != 0) shared_.doorbell.quiet();
}

Time Worker::deadline(Time now) const {
  const Doorbell& bell = shared_.doorbell;
  const FlushTimer::Wishes wishes{bell.is_wished(Wish::early), bell.is_wished(Wish::room),
                                  bell.is_wished(Wish::now)};
  Time deadline = std::min(timer_.due(wishes, now), stopping_at_);
  if (bell.is_wished(Wish::send) || bell.is_wished(Wish::stop))
    deadline = stopping_at_ == Time::max() ? now : deadline;
  if (const auto lease_end = stream_.lease_end()) deadline = std::min(deadline, *lease_end);
  switch (connection_.state()) {
    case Connection::State::closed:
      return std::min(deadline, retry_at_);
    case Connection::State::looking_up:
      return std::min(deadline, now + kLookupPoll);
    case Connection::State::connecting:
      return std::min(deadline, connect_deadline_);
    case Connection::State::open:
      return std::min(deadline, session_.silence_deadline());
  }
  return deadline;
}

// Nothing is left, or nobody answers, or the time is over.
bool Worker::is_last_flush_over(Time now) const {
  if (stopping_at_ == Time::max() || shared_.doorbell.is_wished(Wish::now)) return false;
  if (now >= stopping_at_ || connection_.state() == Connection::State::closed) return true;
  return outbox_.empty() && !drain_.is_held() && shared_.invalidations.empty();
}

void Worker::advance(Time now) {
  using State = Connection::State;
  const State before = connection_.state();
  if (before == State::open) return;
  if (before == State::closed) {
    const bool is_first = retry_at_ == Time{};
    if (now < retry_at_ || (stopping_at_ != Time::max() && !is_first)) return;
    retry_at_ = now;
    connect_deadline_ = now + kConnectMax;
    keep(connection_.start(), now);
  } else if (now >= connect_deadline_) {
    return lose(options_.endpoint.address() + ": no connection within 5 s", now);
  } else if (before == State::looking_up || is_polled_ready_) {
    keep(connection_.advance(), now);
  }
  if (connection_.state() == State::open) session_.open(now);
}

void Worker::exchange_bytes(Time now) {
  if (connection_.state() != Connection::State::open) return;
  input_.clear();
  if (is_polled_ready_) keep(connection_.read(input_, kReadBytes), now);
  if (connection_.state() == Connection::State::open && !input_.empty())
    keep(session_.receive(input_, now), now);
  if (connection_.state() == Connection::State::open) keep(session_.check_silence(now), now);
  if (connection_.state() != Connection::State::open) return;
  if (session_.is_ready() && !is_ready_.load(std::memory_order_relaxed)) {
    backoff_.reset();
    shared_.troubles.clear_last();
    is_ready_.store(true, std::memory_order_release);
  }
  if (drain_.is_held() && outbox_.unacknowledged() < Outbox::kBatchesMax) drain_.flush(true, now);
  session_.pump(now);
  keep(connection_.write(session_.output()), now);
}

void Worker::flush_if_due(Time now) {
  Doorbell& bell = shared_.doorbell;
  const FlushTimer::Wishes wishes{bell.is_wished(Wish::early), bell.is_wished(Wish::room),
                                  bell.is_wished(Wish::now)};
  if (now < timer_.due(wishes, now)) return;
  for (const Wish wish : {Wish::early, Wish::room, Wish::now}) bell.answer(wish);
  outbox_.retry_refused();
  drain_.flush(session_.is_ready() && !outbox_.is_refused(), now);
  timer_.flushed(now);
}

void Worker::settle() {
  const std::uint64_t acknowledged = outbox_.acknowledged();
  const std::uint64_t dropped = outbox_.dropped() + drain_.dropped();
  if (acknowledged == acknowledged_.load(std::memory_order_relaxed) &&
      dropped == dropped_.load(std::memory_order_relaxed)) {
    return;
  }
  acknowledged_.store(acknowledged, std::memory_order_release);
  dropped_.store(dropped, std::memory_order_release);
  const std::lock_guard lock(wait_mutex_);
  settled_.notify_all();
}

void Worker::keep(const Result<void>& done, Time now) {
  if (!done) lose(done.error(), now);
}

void Worker::lose(const std::string& cause, Time now) {
  const bool was_ready = is_ready_.load(std::memory_order_relaxed);
  if (was_ready) shared_.near.interrupt();
  is_ready_.store(false, std::memory_order_release);
  connection_.close();
  session_.close();
  retry_at_ = now + backoff_.next();
  shared_.troubles.report("hotkey: " + cause, now);
  if (was_ready) interrupt();
}

void Worker::end_lease(Time now) {
  if (!stream_.expire(now)) return;
  shared_.hot_set.replace({});
  shared_.near.allow_only({});
  interrupt();
}

void Worker::interrupt() { tell({.type = hotkey::EventType::interrupted, .ns = options_.session.ns}); }

void Worker::tell(const hotkey::Event& event) {
  const std::string failure = shared_.callbacks.call(event);
  if (!failure.empty()) on_trouble(failure);
}

void Worker::on_event(const Event& event, const HotStream::Outcome& outcome) {
  using Change = HotStream::Change;
  feed_near(shared_.near, stream_, event, outcome);
  if (outcome.change == Change::added) shared_.hot_set.insert(outcome.hash);
  if (outcome.change == Change::removed) shared_.hot_set.erase(outcome.hash);
  if (outcome.change == Change::everything) shared_.hot_set.replace(stream_.hashes());
  if (shared_.callbacks.empty()) return;
  if (outcome.is_gap) interrupt();
  if (outcome.is_news && event.type != EventType::heartbeat) tell(to_public(event));
}

void Worker::on_smallest_threshold(std::uint64_t accesses) {
  const std::uint64_t tenth = std::clamp<std::uint64_t>(accesses / 10, 1, 1U << 30);
  shared_.pool.set_alert_after(static_cast<std::uint32_t>(tenth));
}

void Worker::on_trouble(const std::string& sentence) {
  shared_.troubles.report("hotkey: " + sentence, Clock::now());
}

}  // namespace hotkeyd::sdk
