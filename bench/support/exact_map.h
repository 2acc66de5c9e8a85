// The baseline of the detector's benchmarks: exact counts in a sliding window, as a map of strings keeps
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <unordered_map>

#include "detector/access.h"

namespace hotkeyd {

class ExactMap {
 public:
  explicit ExactMap(std::size_t slots) : slots_(slots) {}

  void count(std::span<const Access> rows) {
    for (const Access& row : rows) {
      const std::string key{row.key};
      const auto weight = static_cast<std::uint32_t>(row.reads + row.writes);
      ring_.back()[key] += weight;
      sums_[key] += weight;
    }
  }

  void pass_slot() {
    ring_.emplace_back();
    if (ring_.size() <= slots_) return;
    for (const auto& [key, weight] : ring_.front()) {
      const auto sum = sums_.find(key);
      if ((sum->second -= weight) == 0) sums_.erase(sum);
    }
    ring_.pop_front();
  }

 private:
  using Counts = std::unordered_map<std::string, std::uint32_t>;

  std::size_t slots_;
  std::deque<Counts> ring_{1};  // A slot each, the newest last.
  Counts sums_;
};

}  // namespace hotkeyd
