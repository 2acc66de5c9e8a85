// How much of all accesses falls on the 1, 2, 5, 10, ... hottest keys of a whole recording.
//
// Space-Saving (Metwally et al., ICDT 2005) over hashes of keys: a full table lets its smallest entry give
// way to a new key, which inherits its count as the bound of its error. So each count is at least the true
// one and too high by at most its bound, which is at most accesses / entries. With fewer keys than entries
// the counts are exact.
//
// Pure and single-threaded; memory is fixed (8192 entries: 0.6 MiB); an access costs
// O(log entries) at most, a lookup for a key that has an entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analyze/hash_places.h"

namespace hotkeyd {

// The true share of the `keys` hottest keys is within share +- error, both 0 to 1.
struct TopShare {
  std::size_t keys = 0;
  double share = 0;
  double error = 0;

  bool operator==(const TopShare&) const = default;
};

class TopShares {
 public:
  static constexpr std::size_t kEntries = 8192;

  explicit TopShares(std::size_t entries = kEntries);

  // `hash` stands for the key: 64 bits, under a seed.
  void add(std::uint64_t hash);

  // For 1, 2, 5, 10, 20, 50, ... keys up to 1000, and as far as there are keys; the last point is all keys
  // where they are fewer.
  std::vector<TopShare> curve() const;

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint64_t count = 0;
    std::uint64_t error = 0;
  };
  struct Rank {
    std::uint64_t count = 0;  // Of the entry when it was last looked at: at most its count now.
    std::uint32_t entry = 0;
  };

  std::uint32_t smallest();  // An index in entries_.
  void sink();

  std::size_t entries_max_;
  std::uint64_t total_ = 0;
  std::vector<Entry> entries_;
  std::vector<Rank> heap_;  // The smallest count first. Counts only grow, so it is mended when it is needed.
  HashPlaces places_;       // Of hashes in entries_.
};

}  // namespace hotkeyd
