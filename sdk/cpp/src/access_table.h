// Counts of one thread by key: written by the recording thread without a lock, read in place by the
// background thread.
//
// Every counter has one writer and only grows, so the recording thread adds with a plain load and store, and
// the background thread takes what grew since it last looked. A key is published by raising `used`; its
// counters are freed only by `clear`, after the owner has retired the table and everything is taken. Reads
// and misses share a word, as do writes and local hits, so that misses never exceed reads. (A local hit can
// be seen a moment before or after its read; the surplus waits for the key's next reads.) Bounded: `kKeysMax`
// keys, `kArenaBytes` of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace hotkeyd::sdk {

// What grew for a key since it was last taken.
struct Growth {
  std::string_view key;
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t misses = 0;
  std::uint64_t local_hits = 0;
  std::uint64_t bytes = 0;
  std::uint64_t accesses() const { return reads + writes; }
};

// One access as what it adds to the two packed words.
struct Increment {
  std::uint64_t reads_misses = 0;   // reads | misses << 32
  std::uint64_t writes_locals = 0;  // writes | local_hits << 32
  std::uint64_t bytes = 0;
};

class AccessTable {
 public:
  static constexpr std::size_t kKeysMax = 2048;
  static constexpr std::size_t kArenaBytes = 128 * 1024;  // The largest key is half of it.
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  AccessTable();

  // The recording thread.
  std::uint32_t append(std::string_view key, std::uint32_t alert_after);  // kNone when full.
  bool is_key(std::uint32_t entry, std::string_view key) const;
  // True when the key's alert is due: `alert_after` accesses since it was last armed.
  bool add(std::uint32_t entry, const Increment& increment);
  void arm(std::uint32_t entry, std::uint32_t alert_after) { entries_[entry].until_alert = alert_after; }
  std::uint32_t untaken(std::uint32_t entry) const;
  void retire() { retired_.store(true, std::memory_order_release); }
  bool is_retired() const { return retired_.load(std::memory_order_acquire); }

  // The background thread. `take` hands every growth to `sink` until one is refused (false: it stays).
  template <typename Sink>
  bool take(Sink&& sink);
  void clear();  // After `retire` and a complete `take`: the owner may use the table again.

 private:
  struct Entry {
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
    std::uint32_t until_alert = 0;
    std::atomic<std::uint32_t> taken_accesses{0};
    std::atomic<std::uint64_t> reads_misses{0};
    std::atomic<std::uint64_t> writes_locals{0};
    std::atomic<std::uint64_t> bytes{0};
  };

  Growth growth(std::size_t entry, Increment& seen) const;
  void mark_taken(std::size_t entry, const Growth& growth, const Increment& seen);

  std::unique_ptr<Entry[]> entries_;
  std::unique_ptr<char[]> arena_;
  std::unique_ptr<Increment[]> taken_;  // The background thread's: counters as of the last take.
  std::uint32_t arena_used_ = 0;        // The recording thread's.
  std::atomic<std::uint32_t> used_{0};
  std::atomic<bool> retired_{false};
};

template <typename Sink>
bool AccessTable::take(Sink&& sink) {
  const std::uint32_t used = used_.load(std::memory_order_acquire);
  for (std::uint32_t entry = 0; entry < used; ++entry) {
    Increment seen;
    const Growth grown = growth(entry, seen);
    if (grown.accesses() == 0) continue;
    if (!sink(grown)) return false;
    mark_taken(entry, grown, seen);
  }
  return true;
}

}  // namespace hotkeyd::sdk
