// What the parts of the near cache share: a copy, a load in flight, and what the daemon allows.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "hotkey/near_core.h"

namespace hotkeyd::sdk {

using hotkey::detail::NearValue;
using hotkey::detail::NearValuePtr;

// A local copy. Readers without a lock see it while it is in the index, and see only what never changes, the
// deadline and the mark.
struct NearEntry {
  std::uint64_t hash = 0;
  const NearValue* value = nullptr;  // Of `owner`: readers count no references.
  std::atomic<Duration::rep> deadline{0};
  mutable std::atomic<bool> is_visited{false};  // Set by readers.
  Time started{};                               // When its load began.
  std::string key;
  NearValuePtr owner;
  std::size_t charge = 0;
  NearEntry* newer = nullptr;
  NearEntry* older = nullptr;

  Time deadline_at() const { return Time(Duration(deadline.load(std::memory_order_relaxed))); }
  void set_deadline(Time at) { deadline.store(at.time_since_epoch().count(), std::memory_order_relaxed); }
};

// Copies taken out of the index: a list of its own that allocates nothing. Destroys what it holds.
class NearGarbage {
 public:
  NearGarbage() = default;
  NearGarbage(NearGarbage&& other) noexcept : first_(std::exchange(other.first_, nullptr)) {}
  NearGarbage(const NearGarbage&) = delete;
  NearGarbage& operator=(const NearGarbage&) = delete;
  ~NearGarbage() {
    while (NearEntry* entry = take()) delete entry;
  }
  void add(NearEntry* entry) {
    entry->older = first_;
    first_ = entry;
  }
  NearEntry* take() { return first_ == nullptr ? nullptr : std::exchange(first_, first_->older); }
  bool empty() const { return first_ == nullptr; }

 private:
  NearEntry* first_ = nullptr;
};

// Where a thread says which copy it reads; such a copy is not freed.
using NearGuard = std::atomic<const void*>;

}  // namespace hotkeyd::sdk
