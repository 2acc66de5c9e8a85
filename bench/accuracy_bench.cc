// How exact the counter is: who is found and who is not, against exact counting over the same slots, for both
// rules of admission. Prints one line per case; runs for minutes. build/release/bench/accuracy_bench [trace]
// A trace is a file of big-endian 4-byte integers, one per access, as `xz -dc` writes it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/random.h"
#include "detector/access_math.h"
#include "detector/counter.h"

namespace hotkeyd {
namespace {

constexpr std::uint32_t kSlots = 10;

// Draws from any distribution in constant time (Walker's alias method).
class Alias {
 public:
  explicit Alias(std::vector<double> weights) : limits_(std::move(weights)), other_(limits_.size()) {
    const double mean =
        std::accumulate(limits_.begin(), limits_.end(), 0.0) / static_cast<double>(limits_.size());
    std::vector<std::uint32_t> small;
    std::vector<std::uint32_t> large;
    for (std::uint32_t at = 0; at < limits_.size(); ++at) {
      limits_[at] /= mean;
      (limits_[at] < 1 ? small : large).push_back(at);
    }
    while (!small.empty() && !large.empty()) {
      const std::uint32_t low = small.back();
      const std::uint32_t high = large.back();
      small.pop_back();
      other_[low] = high;
      limits_[high] -= 1 - limits_[low];
      if (limits_[high] < 1) {
        large.pop_back();
        small.push_back(high);
      }
    }
    for (const std::uint32_t at : large) limits_[at] = 1;
    for (const std::uint32_t at : small) limits_[at] = 1;
  }
  std::uint32_t draw(Random& random) const {
    const std::uint32_t at = random.below(static_cast<std::uint32_t>(limits_.size()));
    return random.fraction() < limits_[at] ? at : other_[at];
  }

 private:
  std::vector<double> limits_;
  std::vector<std::uint32_t> other_;
};

std::vector<double> zipf(std::size_t keys, double exponent) {
  std::vector<double> weights(keys);
  for (std::size_t key = 0; key < keys; ++key)
    weights[key] = std::pow(static_cast<double>(key + 1), -exponent);
  return weights;
}

// Exact counts of keys 0 to keys - 1, and when each first reached the threshold, in accesses since the start.
class Truth {
 public:
  Truth(std::size_t keys, std::uint32_t threshold)
      : threshold_(threshold), ring_(kSlots * keys), counts_(keys), most_(keys), reached_(keys, kNever) {}

  void add(std::uint32_t key, std::uint64_t now) {
    ++ring_[newest_ % kSlots * counts_.size() + key];
    const std::uint32_t count = ++counts_[key];
    most_[key] = std::max(most_[key], count);
    if (count == threshold_ && reached_[key] == kNever) reached_[key] = now;
  }
  void pass_slot() {
    ++newest_;
    const auto leaving = ring_.begin() + static_cast<std::ptrdiff_t>(newest_ % kSlots * counts_.size());
    for (std::size_t key = 0; key < counts_.size(); ++key) {
      counts_[key] -= leaving[static_cast<std::ptrdiff_t>(key)];
      leaving[static_cast<std::ptrdiff_t>(key)] = 0;
    }
  }
  static constexpr std::uint64_t kNever = UINT64_MAX;
  std::uint32_t most(std::size_t key) const { return most_[key]; }
  std::uint64_t reached(std::size_t key) const { return reached_[key]; }
  std::size_t keys() const { return counts_.size(); }

 private:
  std::uint32_t threshold_;
  std::size_t newest_ = 0;
  std::vector<std::uint16_t> ring_;
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint32_t> most_;
  std::vector<std::uint64_t> reached_;
};

// Notes when each key was promoted.
class Promotions : public CandidateListener {
 public:
  Promotions(std::size_t keys, std::uint32_t threshold)
      : promoted(keys, Truth::kNever), threshold_(threshold) {}
  Triggers appeared(CandidateId id, std::string_view key) override {
    std::uint64_t number = 0;
    std::memcpy(&number, key.data(), sizeof number);
    if (id >= keys_.size()) keys_.resize(id + 1);
    keys_[id] = static_cast<std::uint32_t>(number);
    return {.count = threshold_};
  }
  Triggers reached(CandidateId id) override {
    promoted[keys_[id]] = std::min(promoted[keys_[id]], now);
    return {};
  }
  void forgotten(CandidateId) override {}

  std::uint64_t now = 0;
  std::vector<std::uint64_t> promoted;

 private:
  std::uint32_t threshold_;
  std::vector<std::uint32_t> keys_;
};

struct Case {
  std::string name;
  std::size_t keys;
  std::uint32_t rate;  // Accesses per second.
  std::uint32_t buckets;
  std::uint32_t threshold;
  double seconds;
  // The key of the access at a time, in accesses since the start.
  std::function<std::uint32_t(std::uint64_t now, Random& random)> next;
};

struct Outcome {
  std::size_t must = 0;      // Keys that reached 1.05 thresholds.
  std::size_t missed = 0;    // Of these, never promoted.
  std::size_t wrong = 0;     // Promoted, but never reached 0.95.
  double late_ms_worst = 0;  // After exact counting; of the keys that must.
  double late_ms_median = 0;
};

Outcome judge(const Truth& truth, const Promotions& promotions, const Case& what) {
  Outcome outcome;
  std::vector<double> late;
  for (std::size_t key = 0; key < truth.keys(); ++key) {
    const bool promoted = promotions.promoted[key] != Truth::kNever;
    const bool must = truth.most(key) >= 1.05 * what.threshold;
    outcome.must += must;
    outcome.missed += must && !promoted;
    outcome.wrong += promoted && truth.most(key) < 0.95 * what.threshold;
    if (!must || !promoted) continue;
    const double accesses =
        static_cast<double>(promotions.promoted[key]) - static_cast<double>(truth.reached(key));
    late.push_back(1e3 * accesses / what.rate);
  }
  if (late.empty()) return outcome;
  std::sort(late.begin(), late.end());
  outcome.late_ms_median = late[late.size() / 2];
  outcome.late_ms_worst = late.back();
  return outcome;
}

Outcome run(const Case& what, Admission admission) {
  CounterOptions options;
  options.buckets = what.buckets;
  options.slots = kSlots;
  options.candidate_min = std::max(what.threshold / 4, 1U);
  options.admission = admission;
  options.seed = 1;
  Promotions promotions(what.keys, what.threshold);
  Counter counter(options, promotions);
  Truth truth(what.keys, what.threshold);
  const KeyHash hash{99};
  Random random(7);
  std::array<std::uint64_t, 64> numbers{};
  std::array<Access, 64> rows{};
  std::array<std::uint64_t, 64> hashes{};
  Slot slot = 1;
  const std::uint64_t slot_accesses = what.rate / kSlots;
  const auto accesses = static_cast<std::uint64_t>(what.rate * what.seconds);
  for (std::uint64_t now = 0; now < accesses;) {
    for (std::size_t row = 0; row < rows.size(); ++row, ++now) {
      numbers[row] = what.next(now, random);
      rows[row] = {.key = {reinterpret_cast<const char*>(&numbers[row]), sizeof numbers[row]}, .reads = 1};
      truth.add(static_cast<std::uint32_t>(numbers[row]), now);
    }
    promotions.now = now;
    hash_keys(hash, rows, hashes);
    counter.observe(rows, hashes, slot, 1, 1);
    if (now / slot_accesses < slot) continue;
    counter.tick(++slot);
    truth.pass_slot();
  }
  return judge(truth, promotions, what);
}

void report(const Case& what) {
  for (const Admission admission : {Admission::randomized, Admission::heavy_keeper}) {
    const Outcome outcome = run(what, admission);
    const double recall =
        outcome.must == 0 ? 1 : 1 - static_cast<double>(outcome.missed) / static_cast<double>(outcome.must);
    std::printf(
        "%-44s %-12s %4zu KiB %6zu keys, recall %.4f, wrong %zu, late %.1f ms at worst, median %.2f\n",
        what.name.c_str(), admission == Admission::randomized ? "randomized" : "heavy_keeper",
        std::size_t{448} * what.buckets / 1024, outcome.must, recall, outcome.wrong, outcome.late_ms_worst,
        outcome.late_ms_median);
    std::fflush(stdout);
  }
}

Case zipf_case(std::string name, std::size_t keys, double exponent, std::uint32_t rate, std::uint32_t buckets,
               double seconds) {
  auto alias = std::make_shared<Alias>(zipf(keys, exponent));
  return {std::move(name), keys, rate, buckets, 1000, seconds, [alias](std::uint64_t, Random& random) {
            return alias->draw(random);
          }};
}

// 100,000 keys at 100 accesses a second each; from the second second on 20 more at 5000.
Case warm_case(std::uint32_t buckets) {
  constexpr std::uint32_t kWarm = 100'000;
  constexpr std::uint32_t kRate = 10'000'000;
  return {"warm keys, then 20 sudden ones",
          kWarm + 20,
          kRate,
          buckets,
          1000,
          4,
          [](std::uint64_t now, Random& random) {
            const bool sudden = now > 2ULL * kRate && random.below(100) == 0;  // 20 * 5000 of 10 M.
            return sudden ? kWarm + random.below(20) : random.below(kWarm);
          }};
}

// A Zipf background, and after two seconds one key at five thresholds.
Case sudden_case() {
  constexpr std::uint32_t kKeys = 1'000'000;
  constexpr std::uint32_t kRate = 1'000'000;
  auto alias = std::make_shared<Alias>(zipf(kKeys, 1.1));
  return {"sudden keys at 5 thresholds, 1 M/s",
          kKeys + 20,
          kRate,
          4096,
          1000,
          4,
          [alias](std::uint64_t now, Random& random) {
            const bool sudden = now > 2ULL * kRate && random.below(10) == 0;  // 20 * 5000 of 1 M.
            return sudden ? kKeys + random.below(20) : alias->draw(random);
          }};
}

std::vector<std::uint32_t> read_trace(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::unordered_map<std::uint32_t, std::uint32_t> numbers;
  std::vector<std::uint32_t> accesses;
  std::array<unsigned char, 4> bytes{};
  while (file.read(reinterpret_cast<char*>(bytes.data()), bytes.size())) {
    const std::uint32_t value = std::uint32_t{bytes[0]} << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
    accesses.push_back(numbers.try_emplace(value, static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  return accesses;
}

void report_trace(const char* path) {
  const auto trace = std::make_shared<std::vector<std::uint32_t>>(read_trace(path));
  if (trace->empty()) return;
  const std::size_t keys = 1 + *std::max_element(trace->begin(), trace->end());
  for (const std::uint32_t threshold : {1000U, 100U}) {
    const double seconds = static_cast<double>(trace->size() - 64) / 500'000;
    report({"trace at 500,000/s, threshold " + std::to_string(threshold), keys, 500'000, 4096, threshold,
            seconds, [trace](std::uint64_t now, Random&) { return (*trace)[now]; }});
  }
}

}  // namespace
}  // namespace hotkeyd

int main(int argc, char** argv) {
  using namespace hotkeyd;
  if (argc > 1) report_trace(argv[1]);
  report(zipf_case("1 M/s, Zipf 1.1 over 10 M keys", 10'000'000, 1.1, 1'000'000, 4096, 5));
  report(sudden_case());
  report(warm_case(4096));
  report(warm_case(16384));
  report(zipf_case("10 M/s, Zipf 0.9 over 10 M keys", 10'000'000, 0.9, 10'000'000, 16384, 3));
  return 0;
}
