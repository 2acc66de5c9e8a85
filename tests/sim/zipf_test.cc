// Zipf traffic against exact counting: who is found, who is not, how much later, and what is conserved.
#include <gmock/gmock.h>

#include <set>

#include "detector/thresholds.h"
#include "tests/sim/stream.h"
#include "tests/support/zipf.h"

namespace hotkeyd {
namespace {

constexpr std::uint64_t kZipfThreshold = 200;

struct Traffic {
  double exponent;
  std::size_t keys;
  std::uint64_t per_second;
  Duration duration;
};

std::vector<std::string> names(std::size_t keys) {
  std::vector<std::string> all;
  for (std::size_t key = 0; key < keys; ++key) all.push_back("product:" + std::to_string(key));
  return all;
}

DetectorOptions zipf_options() {
  DetectorOptions options = make_options({make_rule("rest", "*", kZipfThreshold)});
  options.memory_per_namespace = 2 << 20;
  options.hot_keys_max = 1000;
  return options;
}

// Sends the traffic in batches of a millisecond.
void send(JudgedStream& stream, const Traffic& traffic) {
  const std::vector<std::string> all = names(traffic.keys);
  Zipf zipf(traffic.keys, traffic.exponent, 7);
  std::vector<Access> batch(traffic.per_second / 1000);
  for (Duration passed{}; passed < traffic.duration; passed += 1ms) {
    for (Access& access : batch) access = {.key = all[zipf.draw()], .reads = 1};
    stream.observe(batch);
    stream.run(1ms);
  }
}

std::set<std::string> promoted(const JudgedStream& stream) {
  std::set<std::string> keys;
  for (const ExactDecision& decision : stream.decided()) {
    if (decision.is_promotion) keys.insert(decision.key);
  }
  return keys;
}

Duration worst_delay(const JudgedStream& stream) {
  Duration worst{};
  for (const std::string& key : promoted(stream)) {
    worst = std::max(worst, stream.decided_of(key).front().at - stream.exact_of(key).front().at);
  }
  return worst;
}

class ZipfTraffic : public testing::TestWithParam<Traffic> {};

TEST_P(ZipfTraffic, FindsEveryKeyAboveTheThresholdAndNoneBelow) {
  JudgedStream stream(zipf_options(), {.in = kZipfThreshold, .out = way_out(kZipfThreshold)});
  send(stream, GetParam());
  const std::set<std::string> found = promoted(stream);
  for (const std::string& key : stream.exact.keys_with_peak(kZipfThreshold * 105 / 100)) {
    EXPECT_TRUE(found.contains(key)) << key << " reached " << stream.exact.peak(key);
  }
  for (const std::string& key : found) EXPECT_GE(stream.exact.peak(key), kZipfThreshold) << key;
  EXPECT_LE(to_ms(worst_delay(stream)), 100);
  const NamespaceStats stats = stream.driver.detector().stats(stream.driver.ns());
  EXPECT_EQ(stats.reads,
            GetParam().per_second / 1000 * static_cast<std::uint64_t>(to_ms(GetParam().duration)));
}

INSTANTIATE_TEST_SUITE_P(Sim, ZipfTraffic,
                         testing::Values(Traffic{1.1, 100'000, 40'000, 3s}, Traffic{0.9, 100'000, 60'000, 3s},
                                         Traffic{1.3, 20'000, 40'000, 3s}));

TEST(UniformTraffic, PromotesNothing) {
  JudgedStream stream(zipf_options(), {.in = kZipfThreshold});
  send(stream, {0, 100'000, 60'000, 2s});
  EXPECT_THAT(stream.decided(), testing::IsEmpty());
}

// Many keys just below the threshold fill the table; keys that come out of nowhere are found all the same.
TEST(WarmTraffic, HidesNoSuddenKey) {
  JudgedStream stream(zipf_options(), {.in = kZipfThreshold});
  const std::vector<std::string> warm = names(400);
  const std::vector<std::string> sudden{"s01", "s02", "s03", "s04", "s05", "s06", "s07", "s08", "s09", "s10",
                                        "s11", "s12", "s13", "s14", "s15", "s16", "s17", "s18", "s19", "s20"};
  const auto run = [&](Duration duration, bool is_sudden) {
    for (Duration passed{}; passed < duration; passed += 10ms) {
      std::vector<Access> batch;
      for (const std::string& key : warm) batch.push_back({.key = key, .reads = 1});
      for (const std::string& key : sudden) {
        if (is_sudden) batch.push_back({.key = key, .reads = 10});
      }
      stream.observe(batch);
      stream.run(10ms);
    }
  };
  run(2s, false);
  EXPECT_THAT(stream.decided(), testing::IsEmpty());
  run(500ms, true);
  EXPECT_EQ(promoted(stream).size(), 20U);
  EXPECT_LE(to_ms(worst_delay(stream)), 20);
}

}  // namespace
}  // namespace hotkeyd
