// A counter with a listener that writes down what it is told.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "detector/counter.h"

namespace hotkeyd {

class RecordingListener : public CandidateListener {
 public:
  Triggers appeared(CandidateId id, std::string_view key) override {
    names[id] = key;
    log.push_back("appeared " + names[id]);
    return first(key);
  }
  Triggers reached(CandidateId id) override {
    log.push_back("reached " + names[id]);
    return next(id);
  }
  void forgotten(CandidateId id) override {
    log.push_back("forgotten " + names[id]);
    names.erase(id);
  }

  std::vector<std::string> take_log() { return std::exchange(log, {}); }

  std::function<Triggers(std::string_view)> first = [](std::string_view) { return Triggers{}; };
  std::function<Triggers(CandidateId)> next = [](CandidateId) { return Triggers{}; };
  std::map<CandidateId, std::string> names;
  std::vector<std::string> log;
};

// The counter as the tests drive it: keys instead of hashes.
class CountedKeys {
 public:
  explicit CountedKeys(const CounterOptions& options) : counter(options, listener) {}

  void add(const Access& access, Slot slot, std::uint32_t spread = 1, double factor = 1) {
    add(std::vector<Access>{access}, slot, spread, factor);
  }
  void add(const std::vector<Access>& accesses, Slot slot, std::uint32_t spread = 1, double factor = 1) {
    std::vector<std::uint64_t> hashes;
    for (const Access& access : accesses) hashes.push_back(hash(access.key));
    counter.observe(accesses, hashes, slot, spread, factor);
  }
  void read(std::string_view key, std::uint64_t times, Slot slot) {
    add(Access{.key = key, .reads = times}, slot);
  }

  std::uint32_t count(std::string_view key, Slot slot) { return counter.count(hash(key), slot); }
  std::optional<CandidateId> find(std::string_view key) const { return counter.find(hash(key), key); }
  CandidateId id(std::string_view key) const { return find(key).value(); }
  std::optional<CandidateId> ensure(std::string_view key, Slot slot) {
    return counter.ensure(hash(key), key, slot);
  }
  WindowSums sums(std::string_view key, Slot slot) { return counter.sums(id(key), slot); }
  std::vector<std::string> top(std::size_t n, Slot slot) {
    std::vector<std::string> keys;
    for (const CandidateId id : counter.top(n, slot)) keys.emplace_back(counter.key(id));
    return keys;
  }

  RecordingListener listener;
  Counter counter;
  std::function<std::uint64_t(std::string_view)> hash = KeyHash{42};
};

}  // namespace hotkeyd
