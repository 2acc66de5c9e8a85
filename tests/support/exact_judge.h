// The oracle: exact counting over the detector's slots, and the decisions that follow from it for one rule
// with a rate. Nothing is shared with the detector but the definition of slots.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"

namespace hotkeyd {

struct ExactRule {
  std::uint64_t in = 100;  // Promotes at this count of the window.
  double out = 60;         // Leaves after `after` below it.
  Duration after = std::chrono::seconds{1};
};

struct ExactDecision {
  std::string key;
  bool is_promotion = true;
  Time at{};
  bool operator==(const ExactDecision&) const = default;
};

class ExactJudge {
 public:
  ExactJudge(const ExactRule& rule, std::size_t slots) : rule_(rule), slots_(slots) {}

  // The key's count now.
  std::uint64_t add(const std::string& key, std::uint64_t weight, Time now) {
    Key& known = keys_[key];
    known.slots.resize(slots_);
    known.slots.back() += weight;
    known.count += weight;
    known.peak = std::max(known.peak, known.count);
    if (!known.is_hot && known.count >= rule_.in) decide(key, known, true, now);
    return known.count;
  }

  // The slot that ends at `edge` is over: judge on the window that ends there, then begin the next.
  void end_slot(Time edge) {
    for (auto& [key, known] : keys_) {
      judge(key, known, edge);
      known.slots.push_back(0);
      known.count -= known.slots.front();
      known.slots.pop_front();
    }
  }

  std::uint64_t peak(const std::string& key) const {
    const auto found = keys_.find(key);
    return found == keys_.end() ? 0 : found->second.peak;
  }
  const std::vector<ExactDecision>& decisions() const { return decisions_; }
  std::vector<std::string> keys_with_peak(std::uint64_t at_least) const {
    std::vector<std::string> found;
    for (const auto& [key, known] : keys_) {
      if (known.peak >= at_least) found.push_back(key);
    }
    return found;
  }

 private:
  struct Key {
    std::deque<std::uint64_t> slots;
    std::uint64_t count = 0;
    std::uint64_t peak = 0;
    bool is_hot = false;
    std::optional<Time> below_since;
  };

  void judge(const std::string& key, Key& known, Time edge) {
    if (!known.is_hot) return;
    if (static_cast<double>(known.count) >= rule_.out) {
      known.below_since.reset();
      return;
    }
    if (!known.below_since) known.below_since = edge;
    if (edge - *known.below_since >= rule_.after) decide(key, known, false, edge);
  }

  void decide(const std::string& key, Key& known, bool is_promotion, Time at) {
    known.is_hot = is_promotion;
    known.below_since.reset();
    decisions_.push_back({key, is_promotion, at});
  }

  ExactRule rule_;
  std::size_t slots_;
  std::map<std::string, Key> keys_;
  std::vector<ExactDecision> decisions_;
};

}  // namespace hotkeyd
