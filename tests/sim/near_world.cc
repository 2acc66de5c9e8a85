#include "tests/sim/near_world.h"

#include <algorithm>
#include <utility>

#include "sdk/cpp/src/near_feed.h"

namespace hotkeyd::sdk {
namespace {

using std::chrono::milliseconds;

constexpr std::int64_t kLeaseMs = 400;

// Recorders are large: all worlds share them.
const std::shared_ptr<RecorderPool>& shared_pool() {
  static const auto pool = std::make_shared<RecorderPool>();
  return pool;
}

}  // namespace

NearWorld::NearWorld(std::uint64_t seed)
    : random_(seed),
      max_staleness_(milliseconds(seed % 2 == 0 ? 0 : 700)),
      stream_([](std::string_view key) { return std::hash<std::string_view>{}(key); }) {
  store_ = hub_.open(home_, std::make_unique<NearStore>(NearStoreOptions{.bytes_max = std::size_t{8} << 20,
                                                                         .load_timeout = milliseconds(300),
                                                                         .max_staleness = max_staleness_,
                                                                         .seed = seed},
                                                        shared_pool()));
  for (Recorder*& recorder : recorders_) recorder = shared_pool()->acquire();
  tell_snapshot(true);
}

NearWorld::~NearWorld() {
  for (Recorder* recorder : recorders_) {
    recorder->near_guard().store(nullptr);
    shared_pool()->release(recorder);
  }
  hub_.close(home_);
}

std::string NearWorld::run(int steps) {
  for (; steps > 0 && failure_.empty(); --steps, ++step_) act();
  return failure_;
}

void NearWorld::fail(const std::string& what) {
  if (failure_.empty()) failure_ = what + " at step " + std::to_string(step_);
}

void NearWorld::act() {
  now_ += milliseconds(chance(100) ? 400 : random_.below(8));
  end_lease();
  switch (random_.below(40)) {
    case 0:
    case 1:
    case 2:
      return write();
    case 3:
      return change_hotness();
    case 4:
      return tell(event(EventType::heartbeat, seq_));
    case 5:
      return chance(3) ? lose_message() : void();
    case 6:
      return chance(6) ? disconnect() : void();
    case 7:
      return is_connected_ ? void() : reconnect();
    case 8:
    case 9:
      return std::exchange(is_snapshot_asked_, false) ? tell_snapshot(false) : void();
    default:
      return random_.below(4) == 0 ? deliver() : read(readers_[random_.below(kReaders)]);
  }
}

// A write is one step; that somebody invalidates it is another.
void NearWorld::write() {
  const std::size_t key = random_.below(kKeys);
  if (untold_[key] == 0 || chance(2)) {
    ++versions_[key];
    ++untold_[key];
    return;
  }
  untold_[key] = 0;
  if (chance(2)) {
    hub_.invalidate(hash(key));
    apply_invalidation(key);
  }
  Event told = event(EventType::invalidated, ++seq_);
  told.key = names_[key];
  tell(std::move(told));
}

void NearWorld::apply_invalidation(std::size_t key) {
  version_min_[key] = std::max(version_min_[key], versions_[key] - untold_[key]);
  invalidated_step_[key] = step_;
  kept_.erase(key);
  ++happened_.invalidations;
}

void NearWorld::note_loss() {
  loss_step_ = step_;
  kept_.clear();
}

Event NearWorld::event(EventType type, std::uint64_t seq) const {
  Event event;
  event.type = type;
  event.stream = {"web-17", 100, "shop"};
  event.seq = seq;
  event.hot_keys = hot_.size();
  event.lease_ms = kLeaseMs;
  return event;
}

void NearWorld::tell(Event event) {
  if (!is_connected_) return;
  channel_.push_back({std::move(event), std::exchange(is_loss_pending_, false), false});
}

void NearWorld::tell_snapshot(bool is_opening) {
  Event snapshot = event(EventType::snapshot, seq_);
  for (const auto& [key, allowed] : hot_) {
    KeyData data;
    data.key = names_[key];
    data.seq = seq_;
    data.actions.near_cache = allowed;
    snapshot.keys.push_back(data);
  }
  tell(std::move(snapshot));
  if (is_connected_) channel_.back().is_opening = is_opening;
}

void NearWorld::change_hotness() {
  const std::size_t key = random_.below(kKeys);
  const bool was_hot = hot_.contains(key);
  const bool ends = was_hot && chance(3);
  if (ends) {
    hot_.erase(key);
    ++happened_.demotions;
  } else {
    hot_[key] = {chance(3) ? 200U : 1000U, 1U << 20};
  }
  Event told = event(ends ? EventType::demoted : was_hot ? EventType::updated : EventType::promoted, ++seq_);
  told.key = names_[key];
  told.data.emplace();
  told.data->key = told.key;
  told.data->seq = told.seq;
  if (!ends) told.data->actions.near_cache = hot_[key];
  tell(std::move(told));
}

void NearWorld::deliver() {
  if (channel_.empty()) return;
  const Message message = std::move(channel_.front());
  channel_.pop_front();
  if (message.is_after_loss || message.is_opening || std::exchange(is_stream_forgotten_, false)) note_loss();
  is_stream_forgotten_ = false;
  feed_near(hub_, stream_, message.event, stream_.apply(message.event, now_));
  is_snapshot_asked_ |= stream_.take_request();
  for (std::size_t key = 0; key < kKeys; ++key) {
    const auto allowed = stream_.near_cache(hash(key));
    const auto kept = kept_.find(key);
    if (message.event.type == EventType::invalidated && message.event.key == names_[key]) {
      apply_invalidation(key);
    } else if (kept != kept_.end() && !allowed) {
      kept_.erase(kept);
    } else if (kept != kept_.end()) {
      kept->second.sure_until = std::min(kept->second.sure_until, kept->second.started + ttl(*allowed));
    }
  }
}

// What takes no place in the stream is not missed.
void NearWorld::lose_message() {
  if (channel_.empty() || channel_.front().is_opening) return;
  const Message lost = std::move(channel_.front());
  channel_.pop_front();
  const bool is_numbered = lost.event.type != EventType::snapshot && lost.event.type != EventType::heartbeat;
  if (!is_numbered && !lost.is_after_loss) return;
  ++happened_.losses;
  (channel_.empty() ? is_loss_pending_ : channel_.front().is_after_loss) = true;
}

void NearWorld::disconnect() {
  if (!is_connected_) return;
  ++happened_.disconnections;
  is_connected_ = false;
  is_snapshot_asked_ = is_loss_pending_ = false;
  channel_.clear();
  hub_.interrupt();
  note_loss();
}

void NearWorld::reconnect() {
  is_connected_ = true;
  stream_.expect_snapshot();
  tell_snapshot(true);
}

void NearWorld::end_lease() {
  if (!stream_.expire(now_)) return;
  ++happened_.lease_ends;
  hub_.allow_only({});
  kept_.clear();
  is_stream_forgotten_ = true;
}

}  // namespace hotkeyd::sdk
