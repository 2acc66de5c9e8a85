#include "sdk/cpp/src/recorder.h"

#include <algorithm>

namespace hotkeyd::sdk {
namespace {

constexpr std::uint32_t kEntryMask = 0xfff;
static_assert(AccessTable::kKeysMax < kEntryMask);

std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32) & ~kEntryMask; }

}  // namespace

Recorder::Recorder(const std::atomic<std::uint32_t>& alert_after, Time now)
    : alert_after_(alert_after), index_(kIndexSize), taken_at_(now) {}

Wish Recorder::add(std::string_view key, std::uint64_t hash, const Increment& increment) noexcept {
  recorded_.store(recorded_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  if (key.size() - 1 >= kKeyMax) {  // Empty wraps around.
    drop();
    return Wish::none;
  }
  const std::uint32_t tag = tag_of(hash);
  std::size_t at = hash % kIndexSize;
  for (std::uint32_t found = index_[at]; found != 0; at = (at + 1) % kIndexSize, found = index_[at]) {
    const std::uint32_t entry = (found & kEntryMask) - 1;
    if ((found & ~kEntryMask) != tag || !active().is_key(entry, key)) continue;
    return active().add(entry, increment) ? on_alert(entry) : Wish::none;
  }
  return add_new(key, hash, at, increment);
}

Wish Recorder::add_new(std::string_view key, std::uint64_t hash, std::size_t at, const Increment& increment) {
  Wish wish = Wish::none;
  const std::uint32_t alert_after = alert_after_.load(std::memory_order_relaxed);
  std::uint32_t entry = active().append(key, alert_after);
  if (entry == AccessTable::kNone) {
    wish = Wish::room;
    if (!turn()) {
      drop();
      return wish;
    }
    entry = active().append(key, alert_after);
    at = hash % kIndexSize;
  }
  index_[at] = tag_of(hash) | (entry + 1);
  if (active().add(entry, increment) && wish == Wish::none) wish = on_alert(entry);
  return wish;
}

// The count that was taken meanwhile does not ask again.
Wish Recorder::on_alert(std::uint32_t entry) {
  const std::uint32_t alert_after = alert_after_.load(std::memory_order_relaxed);
  const std::uint32_t untaken = active().untaken(entry);
  active().arm(entry, untaken < alert_after ? alert_after - untaken : alert_after);
  return untaken < alert_after ? Wish::none : Wish::early;
}

bool Recorder::turn() {
  AccessTable& other = tables_[1 - active_];
  if (other.is_retired()) return false;
  active().retire();
  active_ = 1 - active_;
  std::fill(index_.begin(), index_.end(), 0U);
  return true;
}

void Recorder::drop() {
  dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

}  // namespace hotkeyd::sdk
