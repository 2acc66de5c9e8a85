#include <gmock/gmock.h>

#include "tests/support/detector_driver.h"

namespace hotkeyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

DetectorOptions with_levels() {
  RuleOptions rule = make_rule("rest", "*", 100);
  rule.hot_pool = HotPoolOptions{4, 300};
  rule.split = SplitOptions{16, 500};
  rule.alert = AlertOptions{800};
  return make_options({rule});
}

struct Told {
  DecisionKind kind;
  Reason reason;
  Level level;
  bool hot_pool;
  bool split;
  bool alert;
  bool operator==(const Told&) const = default;
};

std::vector<Told> told(DetectorDriver& driver) {
  std::vector<Told> all;
  for (const Decision& decision : driver.decisions()) {
    const Actions& actions = decision.key.actions;
    all.push_back({decision.kind, decision.key.reason, decision.key.level, actions.hot_pool_copies == 4U,
                   actions.split_shards == 16U, actions.alert});
  }
  return all;
}

constexpr auto kPromoted = DecisionKind::promoted;
constexpr auto kUpdated = DecisionKind::updated;

TEST(Levels, APromotionCarriesTheLevelAlreadyReached) {
  DetectorDriver driver(with_levels());
  for (const auto& [key, count] : {std::pair{"a", 299}, {"b", 300}, {"c", 799}, {"d", 800}}) {
    driver.read(key, static_cast<std::uint64_t>(count));
  }
  EXPECT_THAT(told(driver), ElementsAre(Told{kPromoted, Reason::rate, Level::hot, false, false, false},
                                        Told{kPromoted, Reason::rate, Level::hot_pool, true, false, false},
                                        Told{kPromoted, Reason::rate, Level::split, true, true, false},
                                        Told{kPromoted, Reason::rate, Level::alert, true, true, true}));
}

TEST(Levels, RiseOnTheCrossingAccessEachOnce) {
  DetectorDriver driver(with_levels());
  driver.read("k", 299);
  driver.decisions();
  driver.read("k", 1);
  EXPECT_THAT(told(driver), ElementsAre(Told{kUpdated, Reason::level, Level::hot_pool, true, false, false}));
  driver.read("k", 100);
  EXPECT_THAT(told(driver), IsEmpty());
  driver.read("k", 500);  // Over two of them at once.
  EXPECT_THAT(told(driver), ElementsAre(Told{kUpdated, Reason::level, Level::alert, true, true, true}));
}

TEST(Levels, FallAfterAfterBelowTheirDefaultWayOut) {
  DetectorDriver driver(with_levels());
  driver.read("k", 800);
  driver.decisions();
  driver.read_steadily("k", 56, 10s);  // 0.7 of 800.
  EXPECT_THAT(told(driver), IsEmpty());
  driver.read_steadily("k", 55, 3s);
  EXPECT_THAT(told(driver), ElementsAre(Told{kUpdated, Reason::level, Level::split, true, true, false}));
  driver.read_steadily("k", 15, 3s);
  EXPECT_THAT(told(driver), ElementsAre(Told{kUpdated, Reason::level, Level::hot_pool, true, false, false},
                                        Told{kUpdated, Reason::level, Level::hot, false, false, false}));
}

TEST(Levels, NeedNoUpdateBeforeADemotion) {
  DetectorDriver driver(with_levels());
  driver.read("k", 800);
  driver.run(5s);
  EXPECT_THAT(driver.told(), ElementsAre("promoted k rate", "demoted k cooled"));
}

TEST(Levels, WithoutARateOfTheirOwnAreNeverReached) {
  DetectorDriver driver(make_options({make_rule("rest", "*", 100)}));
  driver.read("k", 1'000'000);
  EXPECT_EQ(driver.decisions().front().key.level, Level::hot);
}

TEST(Levels, TheLastInTheirOrderIsTheLevelWhateverTheirRates) {
  RuleOptions rule = make_rule("rest", "*", 100);
  rule.hot_pool = HotPoolOptions{4, 900};
  rule.alert = AlertOptions{200};
  DetectorDriver driver(make_options({rule}));
  driver.read("k", 250);
  driver.read("k", 700);
  EXPECT_THAT(told(driver), ElementsAre(Told{kPromoted, Reason::rate, Level::alert, false, false, true},
                                        Told{kUpdated, Reason::level, Level::alert, true, false, true}));
}

TEST(Levels, FallOnlyAfterAWholeWindowWasSeenSinceAClockJump) {
  DetectorOptions options = with_levels();
  options.rules.front().demote.after = 300ms;
  DetectorDriver driver(options);
  driver.read_steadily("k", 80, 2s);
  driver.decisions();
  driver.jump(1h);
  driver.tick();
  driver.read_steadily("k", 80, 3s);
  EXPECT_THAT(told(driver), IsEmpty());
}

TEST(Levels, CoolAnewInTheWindowOfAnotherRule) {
  const RuleOptions one_second = with_levels().rules.front();
  RuleOptions two_seconds = one_second;
  two_seconds.name = "slow";
  two_seconds.window = 2s;
  RuleOptions elsewhere = two_seconds;
  elsewhere.pattern = "other";
  DetectorDriver driver(make_options({elsewhere, one_second}));
  driver.run(5s);
  driver.read("k", 800);
  driver.run(1900ms);  // Below its levels since 1.1 s.
  driver.told();
  driver.set_rules({two_seconds});
  EXPECT_THAT(driver.told(), ElementsAre("updated k rule_changed"));
  driver.run(500ms);
  EXPECT_THAT(driver.told(), IsEmpty());
}

TEST(Levels, OfAPinnedKeyStillNeedTheirRates) {
  DetectorDriver driver(with_levels());
  ASSERT_TRUE(driver.pin("k"));
  EXPECT_THAT(told(driver), ElementsAre(Told{kPromoted, Reason::pinned, Level::hot, false, false, false}));
  driver.read("k", 500);
  EXPECT_THAT(told(driver), ElementsAre(Told{kUpdated, Reason::level, Level::split, true, true, false}));
  driver.run(10s);
  EXPECT_THAT(told(driver), ElementsAre(Told{kUpdated, Reason::level, Level::hot, false, false, false}));
  EXPECT_THAT(driver.hot(), ElementsAre("k"));
}

}  // namespace
}  // namespace hotkeyd
