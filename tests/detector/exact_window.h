// Exact counting over the same slots as the counter's: the truth its tests compare with.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>

#include "detector/counter.h"

namespace hotkeyd {

class ExactWindow {
 public:
  explicit ExactWindow(std::uint32_t slots) : slots_(slots) {}

  // Counts in `slot`, at most `slots` - 1 behind the newest.
  std::uint64_t add(const std::string& key, std::uint64_t weight, Slot slot) {
    while (ring_.empty() || newest_ < slot) rotate(ring_.empty() ? slot : newest_ + 1);
    ring_.at(ring_.size() - 1 - (newest_ - slot))[key] += weight;
    return sums_[key] += weight;
  }

  // Makes `slot` the newest.
  void advance(Slot slot) {
    while (!ring_.empty() && newest_ < slot) rotate(newest_ + 1);
  }

  std::uint64_t count(const std::string& key) const {
    const auto found = sums_.find(key);
    return found == sums_.end() ? 0 : found->second;
  }
  const std::unordered_map<std::string, std::uint64_t>& counts() const { return sums_; }

 private:
  void rotate(Slot slot) {
    newest_ = slot;
    while (ring_.size() < slots_) ring_.emplace_back();
    for (const auto& [key, weight] : ring_.front()) {
      if ((sums_[key] -= weight) == 0) sums_.erase(key);
    }
    ring_.pop_front();
    ring_.emplace_back();
  }

  std::uint32_t slots_;
  Slot newest_ = 0;
  std::deque<std::unordered_map<std::string, std::uint64_t>> ring_;
  std::unordered_map<std::string, std::uint64_t> sums_;
};

}  // namespace hotkeyd
