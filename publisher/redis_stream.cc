#include "publisher/redis_stream.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "publisher/publish_queue.h"

namespace hotkeyd {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kRequestPause = seconds{1};
constexpr Duration kRequestPatience = seconds{3};
constexpr Duration kRetryMin = milliseconds{250};
constexpr Duration kRetryMax = seconds{10};

}  // namespace

RedisStream::RedisStream(std::string ns, const RedisStreamOptions& options, std::uint64_t seed)
    : ns_(std::move(ns)), options_(options), random_(seed), retry_(kRetryMin, kRetryMax, random_.next()) {}

void RedisStream::begin(Time now) {
  retry_.reset();
  is_refused_ = false;
  broken(now);
}

void RedisStream::end() {
  for (PublishedEvent& event : std::exchange(batch_, {})) {
    if (!is_healed_by_snapshot(event.type)) keep(std::move(event));
  }
  acknowledged_ = false;
  state_ = State::closed;
}

void RedisStream::broken(Time now) {
  end();
  state_ = State::wanted;
  request_at_ = std::max(now, request_not_before_);
}

void RedisStream::refused(Time now) {
  broken(now + retry_.next());
  is_refused_ = true;
}

void RedisStream::offer(PublishedEvent event, Time now) {
  position_.seq = event.seq;
  set_hot_keys(event.hot_keys, now);
  batch_.push_back(std::move(event));
}

void RedisStream::keep(PublishedEvent event) {
  kept_bytes_ += bytes_of(event);
  kept_.push_back(std::move(event));
}

void RedisStream::set_hot_keys(std::size_t hot_keys, Time now) {
  const auto phase = [this] {
    return std::chrono::duration_cast<Duration>(options_.heartbeat * random_.fraction());
  };
  if (hot_keys > 0 && !is_warm(now)) heartbeat_at_ = now + phase();
  if (hot_keys == 0 && position_.hot_keys > 0) warm_until_ = now + options_.lease;
  position_.hot_keys = hot_keys;
}

RedisTransaction RedisStream::open(const PublishedSnapshot& snapshot, const TransactionWriter& writer,
                                   Time now) {
  state_ = State::open;
  ++generation_;
  position_.seq = snapshot.seq;
  set_hot_keys(snapshot.entries.size(), now);
  RedisTransaction transaction = writer.snapshot(snapshot, take_kept());
  transaction.snapshot_generation = generation_;
  hash_expected_ = position_.hot_keys > 0;
  return transaction;
}

std::vector<PublishedEvent> RedisStream::take_kept() {
  kept_bytes_ = 0;
  auto kept = std::exchange(kept_, {});
  std::stable_sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.seq < b.seq; });
  return kept;
}

void RedisStream::acknowledged(std::uint64_t generation) {
  if (!is_open() || generation != generation_) return;
  acknowledged_ = true;
  is_refused_ = false;
  retry_.reset();
}

bool RedisStream::take_request(Time now) {
  if (!awaits_snapshot() || now < request_at_) return false;
  state_ = State::asked;
  request_at_ = now + kRequestPatience;
  request_not_before_ = now + kRequestPause;
  return true;
}

std::optional<RedisTransaction> RedisStream::take_batch(const TransactionWriter& writer, UnixMs at) {
  if (batch_.empty()) return std::nullopt;
  std::size_t count = 0;
  for (std::size_t bytes = 0; count < batch_.size() && count < options_.batch_events_max; ++count) {
    if (bytes >= options_.batch_bytes_max) break;
    bytes += bytes_of(batch_[count]);
  }
  const auto end = batch_.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<PublishedEvent> events(std::make_move_iterator(batch_.begin()), std::make_move_iterator(end));
  batch_.erase(batch_.begin(), end);
  const bool had_hash = std::exchange(hash_expected_, events.back().hot_keys > 0);
  return writer.batch(ns_, std::move(events), had_hash, at);
}

std::optional<RedisTransaction> RedisStream::take_heartbeat(const TransactionWriter& writer, const Now& now) {
  if (!is_open() || !is_warm(now.steady) || now.steady < heartbeat_at_) return std::nullopt;
  heartbeat_at_ += options_.heartbeat;
  if (heartbeat_at_ <= now.steady) heartbeat_at_ = now.steady + options_.heartbeat;
  return writer.heartbeat(ns_, position_, now.unix_ms);
}

Time RedisStream::next_wake(Time now) const {
  if (awaits_snapshot()) return request_at_;
  return is_open() && is_warm(now) ? heartbeat_at_ : Time::max();
}

}  // namespace hotkeyd
