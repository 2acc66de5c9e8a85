#include "hotkey/near_core.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "sdk/cpp/src/client_impl.h"
#include "sdk/cpp/src/dice.h"
#include "sdk/cpp/src/increments.h"
#include "sdk/cpp/src/near_store.h"

namespace hotkey::detail {
namespace {

using hotkeyd::Clock;
using hotkeyd::Time;
using hotkeyd::sdk::Core;
using hotkeyd::sdk::NearEntry;
using hotkeyd::sdk::NearFlight;
using hotkeyd::sdk::NearShard;
using hotkeyd::sdk::NearStore;
using hotkeyd::sdk::Recorder;
using std::chrono::milliseconds;

constexpr milliseconds kLoadTimeoutMin{1};
constexpr milliseconds kLoadTimeoutDefault{3000};
constexpr milliseconds kLoadTimeoutMax{3'600'000};

std::uint64_t this_thread() {
  static thread_local const char place = 0;
  return reinterpret_cast<std::uintptr_t>(&place);
}

hotkeyd::sdk::Increment increment_of(const NearValue& value, bool is_local) {
  if (!value.is_found) return is_local ? hotkeyd::sdk::local_miss() : hotkeyd::sdk::miss();
  return is_local ? hotkeyd::sdk::local_hit_of(value.bytes) : hotkeyd::sdk::read_of(value.bytes);
}

struct Answer {
  NearValuePtr value;
  bool is_local = false;
};

}  // namespace

class NearCore::Impl {
 public:
  Impl(Client::Impl& client, const NearSetup& setup);
  ~Impl() { client_.near().close(home_); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  const NearEntry* find(std::string_view key, hotkeyd::sdk::NearGuard*& guard) noexcept;
  Answer answer(std::string_view key, const Loader& loader);
  bool draws_verify() const noexcept;
  bool begin_verify() noexcept { return !is_verifying_.exchange(true, std::memory_order_acquire); }
  void end_verify(std::atomic<std::uint64_t>& counter) noexcept;
  void count_stale(milliseconds age) noexcept;
  NearStats stats();
  Client::Impl& client() { return client_; }
  std::atomic<std::uint64_t>& verified() { return verified_; }
  std::atomic<std::uint64_t>& verify_failures() { return verify_failures_; }

 private:
  NearStore& store();
  NearValuePtr lead(NearStore& store, const std::shared_ptr<NearFlight>& flight, const Loader& loader);
  void settle(NearStore& store, const std::shared_ptr<NearFlight>& flight, const NearValuePtr& value,
              std::exception_ptr failure, std::uint64_t forks) noexcept;

  Client::Impl& client_;
  NearSetup setup_;
  hotkeyd::sdk::NearHub::Home home_{nullptr};
  std::atomic<bool> is_verifying_{false};
  std::atomic<std::uint64_t> verified_{0};
  std::atomic<std::uint64_t> verify_failures_{0};
  std::atomic<std::uint64_t> stale_{0};
  std::atomic<milliseconds::rep> stale_age_max_{0};
};

NearCore::Impl::Impl(Client::Impl& client, const NearSetup& setup) : client_(client), setup_(setup) {
  if (setup.load_timeout < kLoadTimeoutMin) setup_.load_timeout = kLoadTimeoutDefault;
  setup_.load_timeout = std::min(setup_.load_timeout, kLoadTimeoutMax);
  if (setup_.load_timeout != setup.load_timeout)
    client_.complain("hotkey: near cache: load_timeout is from 1 ms to 1 h: " +
                     std::to_string(setup_.load_timeout.count()) + " ms is used");
  if (!(setup.verify >= 0 && setup.verify <= 1)) {
    client_.complain("hotkey: near cache: verify is a share from 0 to 1, such as 0.01: 0 is used");
    setup_.verify = 0;
  } else if (setup.verify > 0 && !setup.can_compare) {
    client_.complain("hotkey: near cache: verify needs `equal`, or a type with operator==: 0 is used");
    setup_.verify = 0;
  }
  if (client_.near().is_full())
    client_.complain("hotkey: near cache: a client has at most 16: this one keeps nothing");
  store();
}

NearStore& NearCore::Impl::store() {
  if (NearStore* store = home_.load(std::memory_order_acquire)) return *store;
  Core* core = client_.core();
  auto store = std::make_unique<NearStore>(
      hotkeyd::sdk::NearStoreOptions{.bytes_max = setup_.max_bytes,
                                     .load_timeout = setup_.load_timeout,
                                     .max_staleness = client_.settings().max_staleness,
                                     .seed = hotkeyd::sdk::roll_dice()},
      core == nullptr ? nullptr : core->pool());
  return *client_.near().open(home_, std::move(store));
}

// A thread that reads a copy already (a copy constructor that asks the cache) goes the slow way, as does one
// without a recorder.
const NearEntry* NearCore::Impl::find(std::string_view key, hotkeyd::sdk::NearGuard*& guard) noexcept {
  Core* const core = client_.core();
  const NearStore* const store = home_.load(std::memory_order_acquire);
  if (core == nullptr || store == nullptr) return nullptr;
  Recorder* const recorder = core->recorder();
  if (recorder == nullptr) return nullptr;
  guard = &recorder->near_guard();
  if (guard->load(std::memory_order_relaxed) != nullptr) return nullptr;
  const std::uint64_t hash = client_.hash(key);
  const NearEntry* const entry = store->find(key, hash, *guard, hotkeyd::sdk::NearClock());
  if (entry == nullptr) return nullptr;
  recorder->count_near_hit(store->number());
  core->record(*recorder, key, hash, increment_of(*entry->value, true));
  return entry;
}

Answer NearCore::Impl::answer(std::string_view key, const Loader& loader) {
  NearStore& store = this->store();
  const std::uint64_t hash = client_.hash(key);
  Time now = Clock::now();
  const Time give_up_at = now + 2 * setup_.load_timeout;
  for (; now < give_up_at; now = Clock::now()) {
    const NearShard::Step step = store.begin(key, hash, this_thread(), now);
    switch (step.kind) {
      case NearShard::Kind::hit:
        return {step.value, true};
      case NearShard::Kind::lead:
        return {lead(store, step.flight, loader)};
      case NearShard::Kind::alone:
        return {loader()};
      case NearShard::Kind::join:
        if (step.flight->wait_until(std::min(step.flight->overdue_at, give_up_at)))
          return {step.flight->get()};
        break;
      case NearShard::Kind::wait:
        step.flight->wait_until(std::min(step.flight->overdue_at, give_up_at));
        break;
    }
  }
  throw LoadTimeout("hotkey: other callers' loads of this key took longer than twice load_timeout");
}

NearValuePtr NearCore::Impl::lead(NearStore& store, const std::shared_ptr<NearFlight>& flight,
                                  const Loader& loader) {
  const std::uint64_t forks = client_.forks();
  NearValuePtr value;
  try {
    value = loader();
  } catch (...) {  // Also a thread that is being cancelled, hence thrown on.
    std::exception_ptr failure = std::current_exception();
    if (!failure) failure = std::make_exception_ptr(std::runtime_error("hotkey: the loader's thread ended"));
    settle(store, flight, nullptr, failure, forks);
    throw;
  }
  settle(store, flight, value, nullptr, forks);
  return value;
}

// In a child that the loader forked, the store and the waiters are the parent's.
void NearCore::Impl::settle(NearStore& store, const std::shared_ptr<NearFlight>& flight,
                            const NearValuePtr& value, std::exception_ptr failure,
                            std::uint64_t forks) noexcept {
  if (client_.forks() != forks) return;
  store.finish(flight, value, Clock::now());
  flight->set(value, std::move(failure));
}

bool NearCore::Impl::draws_verify() const noexcept {
  if (setup_.verify <= 0) return false;
  static thread_local hotkeyd::Random random(hotkeyd::sdk::roll_dice());
  return random.fraction() < setup_.verify;
}

void NearCore::Impl::end_verify(std::atomic<std::uint64_t>& counter) noexcept {
  counter.fetch_add(1, std::memory_order_relaxed);
  is_verifying_.store(false, std::memory_order_release);
}

// Called by the one that verifies.
void NearCore::Impl::count_stale(milliseconds age) noexcept {
  stale_.fetch_add(1, std::memory_order_relaxed);
  stale_age_max_.store(std::max(stale_age_max_.load(std::memory_order_relaxed), age.count()),
                       std::memory_order_relaxed);
}

NearStats NearCore::Impl::stats() {
  NearStats stats = store().stats(Clock::now());
  stats.verified = verified_.load(std::memory_order_relaxed);
  stats.verify_failures = verify_failures_.load(std::memory_order_relaxed);
  stats.stale = stale_.load(std::memory_order_relaxed);
  stats.stale_age_max = milliseconds(stale_age_max_.load(std::memory_order_relaxed));
  return stats;
}

NearCore::NearCore(Client& client, const NearSetup& setup)
    : impl_(std::make_unique<Impl>(*client.impl_, setup)) {}
NearCore::~NearCore() = default;

bool NearCore::find(std::string_view key, NearHit& hit) noexcept {
  hotkeyd::sdk::NearGuard* guard = nullptr;
  const NearEntry* const entry = impl_->find(key, guard);
  if (entry == nullptr) return false;
  hit.value_ = entry->value;
  hit.guard_ = guard;
  hit.is_to_verify_ = impl_->draws_verify();
  hit.loaded_at_ = entry->started;
  return true;
}

NearValuePtr NearCore::load(std::string_view key, const Loader& loader) {
  try {
    Answer answer = impl_->answer(key, loader);
    impl_->client().record(key, increment_of(*answer.value, answer.is_local));
    return std::move(answer.value);
  } catch (...) {
    impl_->client().record(key, hotkeyd::sdk::read_of(0));
    throw;
  }
}

bool NearCore::begin_verify() noexcept { return impl_->begin_verify(); }

void NearCore::end_verify(const NearHit& hit, bool is_equal) noexcept {
  if (!is_equal) impl_->count_stale(std::chrono::duration_cast<milliseconds>(Clock::now() - hit.loaded_at_));
  impl_->end_verify(impl_->verified());
}

void NearCore::fail_verify() noexcept { impl_->end_verify(impl_->verify_failures()); }

NearStats NearCore::stats() const { return impl_->stats(); }

}  // namespace hotkey::detail
