// Exact counting over the same slots as the counter's: the truth its tests compare with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "detector/counter.h"

namespace hotkeyd {

// Of keys that are numbers below `keys`.
class ExactWindow {
 public:
  ExactWindow(std::size_t keys, std::uint32_t slots) : counts_(keys), most_(keys), ring_(slots) {}

  void add(std::size_t key, std::uint32_t weight) {
    counts_[key] += weight;
    total_ += weight;
    most_[key] = std::max(most_[key], counts_[key]);
    ring_[newest_ % ring_.size()].emplace_back(key, weight);
  }

  void pass_slot() {
    auto& leaving = ring_[++newest_ % ring_.size()];
    for (const auto& [key, weight] : leaving) {
      counts_[key] -= weight;
      total_ -= weight;
    }
    leaving.clear();
  }

  std::uint32_t count(std::size_t key) const { return counts_[key]; }
  std::uint32_t most(std::size_t key) const { return most_[key]; }  // Ever.
  std::uint64_t total() const { return total_; }

 private:
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint32_t> most_;
  std::vector<std::vector<std::pair<std::size_t, std::uint32_t>>> ring_;
  std::uint64_t total_ = 0;
  std::size_t newest_ = 0;
};

}  // namespace hotkeyd
