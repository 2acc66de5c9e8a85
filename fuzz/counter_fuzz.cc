// Random operations on a small counter against exact counting: never above the truth, totals exact, kept
// candidates exact once they were kept for a whole window, limits held, the listener told in order.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"
#include "detector/access_math.h"
#include "detector/counter.h"

namespace hotkeyd {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool empty() const { return at_ >= size_; }
  std::uint8_t byte() { return empty() ? 0 : data_[at_++]; }
  std::uint32_t below(std::uint32_t bound) {
    return (byte() | static_cast<std::uint32_t>(byte()) << 8) % bound;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

class Listener : public CandidateListener {
 public:
  Triggers appeared(CandidateId id, std::string_view key) override {
    require(living.emplace(id, key).second);
    return triggers;
  }
  Triggers reached(CandidateId id) override {
    require(living.contains(id));
    return {.count = triggers.count * 2};
  }
  void forgotten(CandidateId id) override { require(living.erase(id) == 1); }

  std::map<CandidateId, std::string> living;
  Triggers triggers{.count = 9, .writes = 5, .misses = 5};
};

// Exact counts by key, of slots that leave one by one.
class Exact {
 public:
  explicit Exact(std::uint32_t slots) : slots_(slots) {}

  void add(const std::string& key, std::uint64_t weight, Slot slot) { ring_[slot][key] += weight; }
  void forget_before(Slot newest) { ring_.erase(ring_.begin(), ring_.lower_bound(newest + 1 - slots_)); }
  std::uint64_t count(const std::string& key) const {
    std::uint64_t sum = 0;
    for (const auto& [slot, counts] : ring_) sum += counts.contains(key) ? counts.at(key) : 0;
    return sum;
  }
  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const auto& [slot, counts] : ring_) {
      for (const auto& [key, weight] : counts) sum += weight;
    }
    return sum;
  }

 private:
  std::uint32_t slots_;
  std::map<Slot, std::map<std::string, std::uint64_t>> ring_;
};

class Machine {
 public:
  explicit Machine(Input& input)
      : input_(input), options_(options(input)), counter_(options_, listener_), exact_(options_.slots) {}

  void step() {
    switch (input_.byte() % 8) {
      case 0:
        return pass(1);
      case 1:
        return pass(input_.below(3 * options_.slots));
      case 2:
        return ensure();
      case 3:
        return keep();
      case 4:
        return observe(1 + input_.below(options_.slots));
      default:
        return observe(1);
    }
  }

  void check() {
    require(counter_.total(slot_) == exact_.total());
    require(counter_.stats().names_bytes <= options_.names_max);
    require(counter_.candidates().size() <= std::max(options_.candidates_max, options_.top_k));
    require(counter_.candidates().size() == listener_.living.size());
    for (const CandidateId id : counter_.candidates()) check(id);
    for (const std::string& key : keys_) require(counter_.count(hash_(key), slot_) <= exact_.count(key));
    require(counter_.top(100, slot_).size() <= options_.top_k);
  }

 private:
  static CounterOptions options(Input& input) {
    CounterOptions options;
    options.buckets = 1U << input.byte() % 3;
    options.slots = 2 + input.byte() % 9;
    options.candidate_min = 1 + input.byte() % 20;
    options.candidates_max = 1 + input.byte() % 12;
    options.names_max = 20 + input.byte();
    options.top_k = input.byte() % 6;
    options.admission = input.byte() % 4 == 0 ? Admission::heavy_keeper : Admission::randomized;
    options.seed = input.byte();
    options.vectorized = input.byte() % 2 == 0;
    return options;
  }

  void pass(std::uint32_t slots) {
    slot_ += slots;
    counter_.tick(slot_);
    exact_.forget_before(slot_ - 1);
  }

  const std::string& key() {
    const std::uint32_t number = input_.below(40);
    return *keys_.insert(std::string(1 + number % 30, static_cast<char>(number))).first;
  }

  void ensure() {
    const std::string& wanted = key();
    counter_.ensure(hash_(wanted), wanted, slot_);
  }

  void keep() {
    const std::string& wanted = key();
    const auto id = counter_.find(hash_(wanted), wanted);
    if (!id) return;
    const bool kept = input_.byte() % 3 != 0;
    counter_.keep(*id, kept);
    counter_.set_triggers(*id, {.count = input_.below(50)});
    if (!kept) kept_since_.erase(wanted);
    if (kept) kept_since_.try_emplace(wanted, slot_);
  }

  void observe(std::uint32_t spread) {
    std::vector<Access> rows(1 + input_.below(90));
    std::vector<std::uint64_t> hashes(rows.size());
    exact_.forget_before(slot_);
    for (Access& row : rows) {
      row.key = key();
      row.reads = input_.byte() % 8;
      row.writes = input_.byte() % 4;
      row.misses = row.reads / 2;
      row.local_hits = row.reads / 3;
      row.bytes = input_.byte();
      add_exactly(row, spread);
    }
    hash_keys(hash_, rows, hashes);
    counter_.observe(rows, hashes, slot_, spread, 1);
  }

  void add_exactly(const Access& row, std::uint32_t spread) {
    std::uint64_t left = weight_of(row);
    for (std::uint32_t back = 1; back < spread; ++back) {
      const std::uint64_t part = weight_of(share_of(row, spread, back + 1 == spread));
      left -= part;
      exact_.add(std::string{row.key}, part, slot_ - back);
    }
    exact_.add(std::string{row.key}, left, slot_);
  }

  void check(CandidateId id) {
    const std::string key{counter_.key(id)};
    require(listener_.living.at(id) == key);
    require(counter_.find(counter_.hash(id), key) == id);
    const WindowSums sums = counter_.sums(id, slot_);
    require(sums.reads + sums.writes == sums.count);
    require(sums.misses <= sums.reads && sums.local_hits <= sums.reads);
    require(sums.count <= exact_.count(key));
    const bool decays = options_.admission == Admission::heavy_keeper;
    const auto kept = kept_since_.find(key);
    if (decays || kept == kept_since_.end() || slot_ <= kept->second + options_.slots) return;
    require(sums.count == exact_.count(key));
  }

  static constexpr Slot kFirstSlot = 100;

  Input& input_;
  CounterOptions options_;
  Listener listener_;
  Counter counter_;
  Exact exact_;
  KeyHash hash_{1};
  Slot slot_ = kFirstSlot;
  std::set<std::string> keys_;
  std::map<std::string, Slot> kept_since_;
};

}  // namespace
}  // namespace hotkeyd

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hotkeyd::Input input(data, size);
  hotkeyd::Machine machine(input);
  for (int step = 0; step < 500 && !input.empty(); ++step) {
    machine.step();
    machine.check();
  }
  return 0;
}
