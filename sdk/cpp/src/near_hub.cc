#include "sdk/cpp/src/near_hub.h"

#include <algorithm>
#include <utility>

namespace hotkeyd::sdk {
namespace {

constexpr Duration kLookEvery = std::chrono::seconds(1);

// Reached by nobody: it only keeps abandoned stores from looking lost.
std::vector<NearStore*>& abandoned_stores() {
  static auto* const stores = new std::vector<NearStore*>;
  return *stores;
}

}  // namespace

NearStore* NearHub::open(Home& home, std::unique_ptr<NearStore> store) {
  const std::lock_guard lock(mutex_);
  if (NearStore* before = home.load(std::memory_order_acquire)) return before;
  const std::size_t number = free_number();
  homes_.push_back(&home);
  was_used_ = true;
  if (number != NearStore::kNoNumber) {
    store->set_number(number);
    store->allow_only(allowed_);
  }
  NearStore* const opened = store.release();
  home.store(opened, std::memory_order_release);
  return opened;
}

void NearHub::close(Home& home) {
  const std::lock_guard lock(mutex_);
  const std::unique_ptr<NearStore> store(home.exchange(nullptr));
  std::erase(homes_, &home);
  if (!store) return;
  const NearStore::Counts last = store->counts();
  gone_.hits += last.hits;
  gone_.loads += last.loads;
}

std::size_t NearHub::free_number() const {
  for (std::size_t number = 0; number < kCachesMax; ++number) {
    const bool is_taken = std::any_of(homes_.begin(), homes_.end(),
                                      [&](const Home* home) { return home->load()->number() == number; });
    if (!is_taken) return number;
  }
  return NearStore::kNoNumber;
}

bool NearHub::is_full() const {
  const std::lock_guard lock(mutex_);
  return homes_.size() >= kCachesMax;
}

void NearHub::allow(std::uint64_t hash, const std::optional<NearAllowance>& allowance) {
  const std::lock_guard lock(mutex_);
  const auto known = allowed_.find(hash);
  if (known == allowed_.end() ? !allowance : known->second == allowance) return;
  if (allowance) {
    allowed_[hash] = *allowance;
  } else {
    allowed_.erase(known);
  }
  for (const Home* home : homes_) {
    if (home->load()->number() != NearStore::kNoNumber) home->load()->allow(hash, allowance);
  }
}

void NearHub::allow_only(NearAllowances allowances) {
  const std::lock_guard lock(mutex_);
  allowed_ = std::move(allowances);
  for (const Home* home : homes_) {
    if (home->load()->number() != NearStore::kNoNumber) home->load()->allow_only(allowed_);
  }
}

void NearHub::invalidate(std::uint64_t hash) noexcept {
  const std::lock_guard lock(mutex_);
  for (const Home* home : homes_) home->load()->invalidate(hash);
}

void NearHub::interrupt() noexcept {
  const std::lock_guard lock(mutex_);
  for (const Home* home : homes_) home->load()->interrupt();
}

std::optional<NearCacheFigures> NearHub::figures(Time now) {
  const std::lock_guard lock(mutex_);
  if (!was_used_) return std::nullopt;
  if (!looked_at_ || now - *looked_at_ >= kLookEvery) {
    figures_ = look(now);
    looked_at_ = now;
  }
  figures_.hits = gone_.hits;
  figures_.loads = gone_.loads;
  for (const Home* home : homes_) {
    const NearStore::Counts counts = home->load()->counts();
    figures_.hits += counts.hits;
    figures_.loads += counts.loads;
  }
  return figures_;
}

NearCacheFigures NearHub::look(Time now) const {
  NearCacheFigures seen;
  for (const Home* home : homes_) {
    const hotkey::NearStats stats = home->load()->stats(now);
    seen.entries += stats.entries;
    seen.bytes += stats.bytes;
    seen.oldest_ms = std::max(seen.oldest_ms, static_cast<std::uint64_t>(stats.oldest_age.count()));
  }
  return seen;
}

void NearHub::forget_in_child() {
  for (Home* home : homes_) abandoned_stores().push_back(home->exchange(nullptr));
  homes_.clear();
  allowed_.clear();
  gone_ = {};
  was_used_ = false;
  looked_at_.reset();
}

}  // namespace hotkeyd::sdk
