#include <gmock/gmock.h>

#include "tests/support/detector_driver.h"

namespace hotkeyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Told {
  std::string what;
  KeyClass key_class;
  bool near_cache;
  bool operator==(const Told&) const = default;
};

std::vector<Told> told(DetectorDriver& driver) {
  std::vector<Told> all;
  for (const Decision& decision : driver.decisions()) {
    all.push_back({sentence(decision), decision.key.key_class, decision.key.actions.near_cache.has_value()});
  }
  return all;
}

// Twenty rows of this kind, one a slot.
void repeat(DetectorDriver& driver, const Access& row, int slots = 20) {
  for (int i = 0; i < slots; ++i) {
    driver.observe({row});
    driver.run(100ms);
  }
}

TEST(Classes, AreSetAtThePromotion) {
  DetectorDriver driver(at_100());
  driver.observe({{"reads", 200},
                  {"few-writes", 300, 10},
                  {"writes", 0, 200},
                  {"quarter", 270, 90},
                  {"misses", 200, 0, 150},
                  {"both", 200, 150, 150},
                  {"big", 100, 0, 0, 0, 101 << 20}});
  EXPECT_THAT(told(driver), ElementsAre(Told{"promoted reads rate", KeyClass::read, true},
                                        Told{"promoted few-writes rate", KeyClass::read, true},
                                        Told{"promoted writes rate", KeyClass::write, false},
                                        Told{"promoted quarter rate", KeyClass::mixed, false},
                                        Told{"promoted misses rate", KeyClass::miss, true},
                                        Told{"promoted both rate", KeyClass::write, false},
                                        Told{"promoted big rate", KeyClass::read, false}));
}

TEST(Classes, ThatTakeTheNearCacheAwayApplyAtTheNextTick) {
  DetectorDriver driver(at_100());
  driver.read("k", 100);
  driver.decisions();
  driver.write("k", 50);
  EXPECT_THAT(told(driver), IsEmpty());
  driver.run(100ms);
  EXPECT_THAT(told(driver), ElementsAre(Told{"updated k class", KeyClass::mixed, false}));
}

TEST(Classes, ThatGiveANearCacheApplyAfterTheyHaveHeld) {
  DetectorDriver driver(at_100());
  repeat(driver, {.key = "k", .reads = 10, .writes = 10});
  EXPECT_THAT(told(driver), ElementsAre(Told{"promoted k rate", KeyClass::mixed, false},
                                        Told{"updated k class", KeyClass::write, false}));
  repeat(driver, {.key = "k", .reads = 20}, 15);  // Mixed for half a second, then read.
  EXPECT_THAT(told(driver), IsEmpty());
  repeat(driver, {.key = "k", .reads = 20}, 1);
  EXPECT_THAT(told(driver), ElementsAre(Told{"updated k class", KeyClass::read, true}));
}

TEST(Classes, ThatDoNotHoldChangeNothing) {
  DetectorDriver driver(at_100());
  for (int i = 0; i < 10; ++i) {
    repeat(driver, {.key = "k", .reads = 20}, 10);
    repeat(driver, {.key = "k", .reads = 20, .misses = 20}, 8);
  }
  EXPECT_THAT(told(driver), ElementsAre(Told{"promoted k rate", KeyClass::read, true}));
}

TEST(Classes, AreNotJudgedBelowTheWayOut) {
  DetectorDriver driver(at_100());
  driver.read("k", 150);
  driver.run(1s);
  driver.write("k", 50);
  driver.run(500ms);
  EXPECT_THAT(told(driver), ElementsAre(Told{"promoted k rate", KeyClass::read, true}));
}

TEST(Classes, ABigValueTakesTheNearCacheAwayAtOnceAndGivesItBackAfterAWhile) {
  DetectorDriver driver(at_100());
  repeat(driver, {.key = "k", .reads = 20, .bytes = 20 << 20});
  EXPECT_THAT(told(driver), ElementsAre(Told{"promoted k rate", KeyClass::read, true}));
  driver.observe({{.key = "k", .reads = 20, .bytes = 400 << 20}});
  driver.run(100ms);
  EXPECT_THAT(told(driver), ElementsAre(Told{"updated k class", KeyClass::read, false}));
  repeat(driver, {.key = "k", .reads = 20, .bytes = 20 << 20}, 19);
  EXPECT_THAT(told(driver), IsEmpty());
  repeat(driver, {.key = "k", .reads = 20, .bytes = 20 << 20}, 2);
  EXPECT_THAT(told(driver), ElementsAre(Told{"updated k class", KeyClass::read, true}));
}

TEST(Classes, OfARuleWithoutNearCacheNeverGetOne) {
  RuleOptions rule = make_rule("stock", "*", 100);
  rule.near_cache.reset();
  DetectorDriver driver(make_options({rule}));
  driver.read("k", 100);
  ASSERT_TRUE(driver.pin("pinned"));
  EXPECT_THAT(told(driver), ElementsAre(Told{"promoted k rate", KeyClass::read, false},
                                        Told{"promoted pinned pinned", KeyClass::read, false}));
}

}  // namespace
}  // namespace hotkeyd
