#include <algorithm>

#include "tests/sim/near_world.h"

namespace hotkeyd::sdk {
namespace {

using std::chrono::milliseconds;

// As far behind as the coarse clock may be.
struct LateClock {
  Time now;
  Duration lag;
  Time coarse() const { return now - lag; }
  Time exact() const { return now; }
};

}  // namespace

std::size_t NearWorld::caller(const Reader& reader) const {
  return static_cast<std::size_t>(&reader - readers_.data());
}

void NearWorld::read(Reader& reader) {
  switch (reader.does) {
    case Reader::Does::nothing:
      return ask(reader);
    case Reader::Does::copies:
      if (!*reader.is_alive) fail("a copy was freed while it was read");
      recorders_[caller(reader)]->near_guard().store(nullptr);
      reader.does = Reader::Does::nothing;
      return;
    case Reader::Does::loads:
      return go_on_loading(reader);
    case Reader::Does::waits:
      return go_on_waiting(reader);
  }
}

void NearWorld::ask(Reader& reader) {
  reader.step = {};
  reader.key = random_.below(chance(2) ? 1 : kKeys);
  reader.version_min = version_min_[reader.key];
  reader.after_step = std::max(invalidated_step_[reader.key], loss_step_);
  reader.give_up_at = now_ + milliseconds(600);
  if (chance(4) || !ask_fast(reader)) begin(reader);
}

bool NearWorld::ask_fast(Reader& reader) {
  const LateClock clock{now_, milliseconds(random_.below(50))};
  NearGuard& guard = recorders_[caller(reader)]->near_guard();
  const NearEntry* entry = store_->find(names_[reader.key], hash(reader.key), guard, clock);
  if (entry == nullptr) return false;
  const auto& copy = static_cast<const Copy&>(*entry->value);
  reader.is_alive = copy.is_alive;
  reader.does = Reader::Does::copies;
  answer(reader, copy, true);
  return true;
}

void NearWorld::begin(Reader& reader) {
  const std::size_t key = reader.key;
  reader.step = store_->begin(names_[key], hash(key), caller(reader) + 1, now_);
  reader.does = Reader::Does::waits;
  if (reader.step.kind == NearShard::Kind::hit) {
    answer(reader, static_cast<const Copy&>(*reader.step.value), true);
    reader.does = Reader::Does::nothing;
    return;
  }
  const auto kept = kept_.find(key);
  if (kept != kept_.end() && now_ < kept->second.sure_until) fail("a copy that is allowed was not served");
  if (reader.step.kind == NearShard::Kind::lead) return start_load(reader);
  if (reader.step.kind == NearShard::Kind::alone)
    return fail("a reader that loads nothing was sent to load alone");
  ++(reader.step.kind == NearShard::Kind::join ? happened_.joined : happened_.waited);
}

void NearWorld::start_load(Reader& reader) {
  for (const Reader& other : readers_) {
    const bool is_same = &other != &reader && other.does == Reader::Does::loads && other.key == reader.key;
    if (is_same && now_ < other.step.flight->overdue_at) fail("two loads of one key at a time");
    if (is_same) ++happened_.overtaken;
  }
  ++happened_.loads;
  reader.does = Reader::Does::loads;
  reader.load_step = last_load_[reader.key] = step_;
  reader.started = now_;
  reader.version.reset();
  reader.hangs = chance(40);
}

// The loader asks for its own key.
void NearWorld::nest(Reader& reader) {
  const NearShard::Step step = store_->begin(names_[reader.key], hash(reader.key), caller(reader) + 1, now_);
  if (step.kind == NearShard::Kind::lead) {
    last_load_[reader.key] = 0;
    store_->finish(step.flight, nullptr, now_);
    done_.insert(step.flight);
    step.flight->set(nullptr, nullptr);
  } else if (step.kind == NearShard::Kind::join || step.kind == NearShard::Kind::wait) {
    if (reader.step.flight == step.flight) fail("a loader waits for itself");
  }
}

void NearWorld::go_on_loading(Reader& reader) {
  if (reader.hangs && !chance(100)) return;
  if (chance(20)) nest(reader);
  if (!reader.version) {
    reader.version = versions_[reader.key];
  } else if (chance(3)) {
    finish_load(reader);
  }
}

void NearWorld::finish_load(Reader& reader) {
  const std::shared_ptr<NearFlight> flight = reader.step.flight;
  std::shared_ptr<Copy> copy;
  if (!chance(8)) {
    copy = std::make_shared<Copy>();
    copy->bytes = 100;
    copy->is_found = true;
    copy->key = reader.key;
    copy->version = *reader.version;
    copy->load_step = reader.load_step;
    copy->started = reader.started;
    note_kept(reader, *copy);
  }
  store_->finish(flight, copy, now_);
  flight->set(copy, nullptr);
  done_.insert(flight);
  if (copy) answer(reader, *copy, false);
  reader.does = Reader::Does::nothing;
  reader.step = {};
}

Duration NearWorld::ttl(const EventNearCache& allowed) const {
  const Duration ttl = milliseconds(allowed.ttl_ms);
  return max_staleness_ > Duration::zero() ? std::min(ttl, max_staleness_) : ttl;
}

void NearWorld::note_kept(const Reader& reader, Copy& copy) {
  const auto allowed = stream_.near_cache(hash(reader.key));
  if (!allowed) return;
  copy.deadline_max = reader.started + ttl(*allowed);
  const bool is_overtaken = last_load_[reader.key] != reader.load_step;
  if (is_overtaken || std::max(invalidated_step_[reader.key], loss_step_) > reader.load_step) return;
  kept_[reader.key] = {reader.started, reader.started + ttl(*allowed) * 9 / 10};
}

void NearWorld::go_on_waiting(Reader& reader) {
  const std::shared_ptr<NearFlight> flight = reader.step.flight;
  if (done_.contains(flight)) {
    if (reader.step.kind == NearShard::Kind::wait) return begin(reader);
    const NearValuePtr value = flight->get();
    if (value) answer(reader, static_cast<const Copy&>(*value), false);
    reader.does = Reader::Does::nothing;
  } else if (now_ >= reader.give_up_at) {
    reader.does = Reader::Does::nothing;
  } else if (now_ >= flight->overdue_at) {
    begin(reader);
  }
}

void NearWorld::answer(const Reader& reader, const Copy& copy, bool is_local) {
  if (copy.key != reader.key) fail("the value of another key was answered");
  if (copy.version < reader.version_min) fail("a value older than an applied invalidation was answered");
  if (copy.load_step <= reader.after_step)
    fail("a value loaded before an invalidation or a loss was answered");
  if (!is_local) return;
  ++happened_.hits;
  const auto allowed = stream_.near_cache(hash(reader.key));
  if (!allowed) return fail("a copy was served that is not allowed");
  if (now_ >= copy.deadline_max || now_ >= copy.started + ttl(*allowed))
    fail("a copy was served past its deadline");
}

}  // namespace hotkeyd::sdk
