// Steady keys, for minutes of virtual time: chance alone changes nothing, and decisions are those of exact
// counting.
#include <gmock/gmock.h>

#include "detector/thresholds.h"
#include "tests/sim/stream.h"
#include "tests/support/zipf.h"

namespace hotkeyd {
namespace {

constexpr std::uint64_t kSteadyThreshold = 400;

DetectorOptions steady_options() {
  RuleOptions rule = make_rule("rest", "*", kSteadyThreshold);
  rule.demote.after = 5s;
  return make_options({rule});
}

struct SteadyKey {
  std::string name;
  double rate;  // Accesses per second.
};

// Every key from half to twice the threshold, with Poisson arrivals.
std::vector<SteadyKey> keys_around_the_threshold() {
  std::vector<SteadyKey> keys;
  for (int tenths = 5; tenths <= 20; ++tenths) {
    keys.push_back({"k" + std::to_string(tenths), static_cast<double>(kSteadyThreshold) * tenths / 10});
  }
  return keys;
}

void send(JudgedStream& stream, const std::vector<SteadyKey>& keys, Duration duration, Random& random) {
  for (Duration passed{}; passed < duration; passed += 20ms) {
    std::vector<Access> batch;
    for (const SteadyKey& key : keys)
      batch.push_back({.key = key.name, .reads = poisson(key.rate / 50, random)});
    stream.observe(batch);
    stream.run(20ms);
  }
}

TEST(SteadyKeys, NeverFlap) {
  JudgedStream stream(steady_options(),
                      {.in = kSteadyThreshold, .out = way_out(kSteadyThreshold), .after = 5s});
  Random random(3);
  const std::vector<SteadyKey> keys = keys_around_the_threshold();
  send(stream, keys, 120s, random);
  for (const SteadyKey& key : keys) {
    const auto decided = stream.decided_of(key.name);
    EXPECT_LE(decided.size(), key.rate <= 0.7 * kSteadyThreshold ? 0U : 1U) << key.name;
    EXPECT_GE(decided.size(), key.rate >= 1.1 * kSteadyThreshold ? 1U : 0U) << key.name;
  }
  EXPECT_EQ(stream.decided(), stream.exact.decisions());
}

// Keys that heat up and cool down at random: each episode is one promotion and one demotion, on the same
// access and at the same tick as with exact counting.
TEST(ChangingKeys, MakeOnePromotionAndOneDemotionAnEpisodeWhenExactCountingDoes) {
  JudgedStream stream(steady_options(),
                      {.in = kSteadyThreshold, .out = way_out(kSteadyThreshold), .after = 5s});
  Random random(5);
  for (int phase = 0; phase < 30; ++phase) {
    std::vector<SteadyKey> keys;
    for (int i = 0; i < 12; ++i) {
      keys.push_back(
          {"k" + std::to_string(i), static_cast<double>(random.below(3)) * 0.45 * kSteadyThreshold});
    }
    send(stream, keys, std::chrono::seconds{1 + random.below(9)}, random);
  }
  EXPECT_EQ(stream.decided(), stream.exact.decisions());
  EXPECT_GT(stream.decided().size(), 20U);
  for (int i = 0; i < 12; ++i) {
    bool is_hot = false;
    for (const ExactDecision& decision : stream.decided_of("k" + std::to_string(i))) {
      EXPECT_NE(decision.is_promotion, is_hot);
      is_hot = decision.is_promotion;
    }
  }
}

// Whatever the report interval, up to the window: a key at nine tenths of the threshold stays cold.
TEST(CoarseReporters, RaiseNoFalseAlarm) {
  Random random(11);
  for (int interval_ms = 50; interval_ms <= 1000; interval_ms += 50) {
    DetectorDriver driver(steady_options());
    std::vector<std::string> names;
    for (int i = 0; i < 10; ++i) names.push_back("k" + std::to_string(i));
    std::vector<double> due(names.size());
    driver.run(std::chrono::milliseconds{random.below(1000)});
    for (Duration passed{}; passed < 20s;) {
      const Duration age = std::chrono::milliseconds{interval_ms};
      driver.run(age);
      passed += age;
      for (std::size_t i = 0; i < names.size(); ++i) {
        due[i] += 0.9 * kSteadyThreshold * seconds(age);
        const auto count = static_cast<std::uint64_t>(due[i]);
        due[i] -= static_cast<double>(count);
        driver.observe({{.key = names[i], .reads = count}}, {.age = age, .factor = 1, .lost = 0});
      }
    }
    EXPECT_THAT(driver.told(), testing::IsEmpty()) << interval_ms << " ms";
  }
}

// The process is stopped now and then: a busy key stays hot, a quiet one stays cold, nothing fires on waking.
TEST(ClockJumps, FireNothing) {
  JudgedStream stream(steady_options(), {.in = kSteadyThreshold});
  Random random(13);
  const std::vector<SteadyKey> keys{{"busy", 2 * kSteadyThreshold}, {"quiet", kSteadyThreshold / 2}};
  send(stream, keys, 3s, random);
  for (int i = 0; i < 20; ++i) {
    stream.driver.jump(std::chrono::milliseconds{301 + random.below(20'000)});
    stream.driver.tick();
    EXPECT_THAT(stream.driver.told(), testing::IsEmpty());
    send(stream, keys, std::chrono::seconds{random.below(8)}, random);
  }
  EXPECT_EQ(stream.decided().size(), 1U);
  EXPECT_EQ(stream.driver.hot(), std::vector<std::string>{"busy"});
}

}  // namespace
}  // namespace hotkeyd
