// What one thread records: two tables that take turns, and an index of the one in use.
//
// When the table in use is full it is retired, and the other one goes on while the background thread sends
// the first; when both are full the access is counted as dropped. Nothing blocks and nothing is allocated
// after construction. `add` belongs to one thread at a time (see RecorderPool), the rest to the background
// thread, the two counters to any.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "sdk/cpp/src/access_table.h"
#include "sdk/cpp/src/doorbell.h"

namespace hotkeyd::sdk {

class alignas(64) Recorder {
 public:
  static constexpr std::size_t kKeyMax = 65'536;

  // `alert_after`: accesses of one key after which an early flush is wished; outlives the recorder.
  Recorder(const std::atomic<std::uint32_t>& alert_after, Time now);

  Wish add(std::string_view key, std::uint64_t hash, const Increment& increment) noexcept;

  // Hands every growth to `sink` until one is refused (false).
  template <typename Sink>
  bool take(Time now, Sink&& sink);
  Time taken_at() const { return taken_at_; }  // Everything before has been taken.

  // The near caches': the copy that the thread reads now (any thread may look), and its hits by number of the
  // cache, which are the thread's to count.
  static constexpr std::size_t kNearCachesMax = 16;
  std::atomic<const void*>& near_guard() { return near_guard_; }
  void count_near_hit(std::size_t cache) {
    near_hits_[cache].store(near_hits(cache) + 1, std::memory_order_relaxed);
  }
  std::uint64_t near_hits(std::size_t cache) const {
    return near_hits_[cache].load(std::memory_order_relaxed);
  }

  std::uint64_t recorded() const { return recorded_.load(std::memory_order_acquire); }
  std::uint64_t dropped() const { return dropped_.load(std::memory_order_acquire); }

 private:
  static constexpr std::size_t kIndexSize = 4096;  // Twice the keys of a table.

  AccessTable& active() { return tables_[active_]; }
  Wish add_new(std::string_view key, std::uint64_t hash, std::size_t at, const Increment& increment);
  Wish on_alert(std::uint32_t entry);
  bool turn();
  void drop();

  const std::atomic<std::uint32_t>& alert_after_;
  std::size_t active_ = 0;
  std::vector<std::uint32_t> index_;  // Entry + 1 in the low 12 bits, 20 bits of hash above; 0 is empty.
  std::atomic<std::uint64_t> recorded_{0};
  std::atomic<std::uint64_t> dropped_{0};
  std::atomic<const void*> near_guard_{nullptr};
  AccessTable tables_[2];
  std::array<std::atomic<std::uint64_t>, kNearCachesMax> near_hits_{};
  alignas(64) Time taken_at_{};  // The background thread's.
};

template <typename Sink>
bool Recorder::take(Time now, Sink&& sink) {
  for (AccessTable& table : tables_) {
    const bool retired = table.is_retired();
    if (!table.take(sink)) return false;
    if (retired) table.clear();
  }
  taken_at_ = now;
  return true;
}

}  // namespace hotkeyd::sdk
