#include "detector/explain.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/support/detector_driver.h"

namespace hotkeyd {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kSince = "Hot since 2026-11-30T00:53:20.000Z: ";

TEST(Explain, SaysEverythingOfAHotKey) {
  DetectorDriver driver(at_100());
  driver.observe({{"k", 150, 10, 20, 30, 4000}});
  driver.run(100ms);
  const Explanation told = driver.explain("k");
  EXPECT_EQ(told.key, "k");
  EXPECT_EQ(told.standing, Standing::hot);
  EXPECT_EQ(told.key_class, KeyClass::read);
  EXPECT_EQ(told.rule, "rest");
  EXPECT_EQ(told.since_ms, kStartMs);
  EXPECT_FALSE(told.pinned || told.denied);
  EXPECT_EQ(told.figures.count, 160U);
  EXPECT_EQ(told.figures.misses, 20U);
  EXPECT_EQ(told.figures.bytes, 4000U);
  EXPECT_EQ(
      told.why,
      "Hot since 2026-11-30T00:53:20.000Z: 160 accesses in the last 1 s reach the 100 of rule \"rest\".");
}

TEST(Explain, IsNothingForAKeyNeverSeen) {
  DetectorDriver driver(at_100());
  driver.read("k", 1);
  EXPECT_FALSE(driver.detector().explain(driver.ns(), "never", driver.now()));
  driver.run(3s);
  EXPECT_FALSE(driver.detector().explain(driver.ns(), "k", driver.now()));
}

TEST(Explain, OfAWarmKeySaysHowMuchIsMissing) {
  DetectorDriver driver(at_100());
  driver.read("k", 60);
  const Explanation told = driver.explain("k");
  EXPECT_EQ(told.standing, Standing::warm);
  EXPECT_EQ(told.figures.count, 60U);
  EXPECT_EQ(told.since_ms, kStartMs);
  EXPECT_EQ(told.why, "Not hot: 60 accesses in the last 1 s do not reach the 100 accesses of rule \"rest\".");
}

TEST(Explain, OfOrdersSaysTheOrder) {
  DetectorDriver driver(at_100());
  driver.run(1s);
  ASSERT_TRUE(driver.deny("denied", 10s) && driver.pin("pinned"));
  const Explanation denied = driver.explain("denied");
  EXPECT_EQ(denied.standing, Standing::denied);
  EXPECT_TRUE(denied.denied);
  EXPECT_EQ(denied.since_ms, kStartMs + 1000);
  EXPECT_EQ(
      denied.why,
      "Never hot: denied by order until 2026-11-30T00:53:31.000Z, whatever its 0 accesses in the last 1 s.");
  const Explanation pinned = driver.explain("pinned");
  EXPECT_EQ(pinned.standing, Standing::pinned);
  EXPECT_TRUE(pinned.pinned);
  EXPECT_THAT(pinned.why, HasSubstr("pinned until taken back"));
}

TEST(Explain, OfACoolingKeySaysWhenItLeaves) {
  DetectorDriver driver(at_100());
  driver.read("k", 250);
  driver.read_steadily("k", 8, 3s);
  EXPECT_EQ(driver.explain("k").why,
            kSince +
                "80 accesses in the last 1 s no longer reach the 100 accesses of rule \"rest\", "
                "but it leaves only after 1 s below 60 accesses.");
  driver.run(300ms);
  EXPECT_EQ(driver.explain("k").why,
            kSince +
                "56 accesses in the last 1 s no longer reach the 100 accesses of rule \"rest\", "
                "and are so few, below 60 accesses, that it leaves once that has lasted 1 s.");
}

TEST(Explain, TheCountAtWhichItLeavesIsTheSmallestThatStays) {
  DetectorDriver driver(make_options({make_rule("rest", "*", 50)}));  // Its way out is 21.7.
  driver.read("k", 50);
  driver.run(2s);
  driver.read("k", 21);
  EXPECT_THAT(driver.explain("k").why,
              HasSubstr("21 accesses in the last 1 s no longer reach the 50 accesses"));
  EXPECT_THAT(driver.explain("k").why, HasSubstr("are so few, below 22 accesses,"));
  driver.read("k", 1);
  EXPECT_THAT(driver.explain("k").why, HasSubstr("leaves only after 1 s below 22 accesses."));
}

TEST(Explain, OfAKeyHotByItsWritesMissesOrShareSaysSo) {
  RuleOptions rule = make_rule("rest", "*", 1000);
  rule.promote.writes = 10;
  rule.promote.misses = 20;
  rule.promote.share = 0.5;
  DetectorDriver driver(make_options({rule}));
  driver.observe({{"others", 400}});
  driver.observe({{"written", 30, 15}});
  EXPECT_EQ(driver.explain("written").why,
            kSince + "15 writes in the last 1 s reach the 10 of rule \"rest\".");
  driver.observe({{"missed", 30, 0, 25}});
  EXPECT_EQ(driver.explain("missed").why,
            kSince + "25 misses in the last 1 s reach the 20 of rule \"rest\".");
  driver.read("wanted", 525);
  driver.run(100ms);
  EXPECT_THAT(driver.explain("wanted").why,
              HasSubstr("525 accesses in the last 1 s, 52.5 % of all, reach the 50 % of rule \"rest\"."));
  driver.observe({{"cold", 3, 2, 1}});
  EXPECT_EQ(driver.explain("cold").why,
            "Not hot: 5 accesses (2 writes, 1 miss, 1005 of all keys) in the last 1 s do not reach the "
            "1000 accesses "
            "or 10 writes or 20 misses or 50 % of all accesses from 100 on of rule \"rest\".");
  driver.run(1200ms);
  EXPECT_THAT(
      driver.explain("wanted").why,
      HasSubstr(
          "below 700 accesses and 1 write and 3 misses and 35 % of all accesses or 60, that it leaves"));
}

TEST(Explain, SpeaksOfOneAccessInTheSingular) {
  DetectorDriver driver(at_100());
  driver.read("k", 1);
  EXPECT_EQ(driver.explain("k").why,
            "Not hot: 1 access in the last 1 s does not reach the 100 accesses of rule \"rest\".");
  DetectorDriver at_one(make_options({make_rule("rest", "*", 1)}));
  at_one.read("k", 1);
  EXPECT_EQ(at_one.explain("k").why, kSince + "1 access in the last 1 s reaches the 1 of rule \"rest\".");
}

TEST(Explain, OfADisabledNamespaceSaysSoWhateverElseHolds) {
  DetectorDriver driver(at_100());
  ASSERT_TRUE(driver.pin("k"));
  driver.read("k", 150);
  driver.disable();
  EXPECT_EQ(driver.explain("k").why,
            "Not hot: its namespace is disabled by order, whatever its 150 accesses in the last 1 s.");
}

TEST(Explain, OfAKeyThatADenialLetGoSaysThatTheNextTickJudgesIt) {
  DetectorDriver driver(at_100());
  ASSERT_TRUE(driver.deny("k"));
  driver.read("k", 150);
  driver.allow("k");
  EXPECT_EQ(driver.explain("k").why,
            "Not hot: 150 accesses in the last 1 s reach the 100 of rule \"rest\", but the next tick will "
            "judge it.");
}

TEST(Explain, OfAKeyThatAFullHotSetKeepsOutSaysSo) {
  DetectorOptions options = at_100();
  options.hot_keys_max = 1;
  DetectorDriver driver(options);
  driver.read("hotter", 300);
  driver.read("k", 150);
  driver.run(100ms);
  EXPECT_EQ(driver.explain("k").why,
            "Not hot: 150 accesses in the last 1 s reach the 100 of rule \"rest\", but hotter keys fill the "
            "hot set.");
  driver.run(900ms);
  driver.read("k", 60);
  EXPECT_EQ(driver.explain("k").why,
            "Not hot: 60 accesses in the last 1 s do not reach the 100 accesses of rule \"rest\".")
      << "no longer at its way in";
}

TEST(Explain, OfAKeyCountedInAnotherWindowThanItsRulesNamesBoth) {
  RuleOptions pages = make_rule("pages", "page:*", 10);
  pages.window = 60s;
  DetectorDriver driver(make_options({pages, make_rule("rest", "*", 100)}));
  driver.read("page:1", 300);
  EXPECT_EQ(driver.explain("page:1").why,
            "Not hot: 300 accesses in the last 60 s do not reach the 600 accesses of rule \"pages\".");
}

TEST(Explain, NeverHoldsTheKey) {
  DetectorDriver driver(at_100());
  driver.read("secret-key", 60);
  EXPECT_THAT(driver.explain("secret-key").why, Not(HasSubstr("secret-key")));
}

TEST(Explain, OfAKeyWithALongWindowIsOfThatWindow) {
  RuleOptions pages = make_rule("pages", "page:*", 10);
  pages.window = 60s;
  DetectorDriver driver(make_options({pages, make_rule("rest", "*", 100)}));
  driver.read("page:1", 300);
  driver.run(3s);
  EXPECT_EQ(driver.explain("page:1").figures.count, 300U);
  EXPECT_EQ(driver.explain("page:1").rule, "pages");
}

TEST(Explain, WithoutARuleSaysSo) {
  DetectorDriver driver(make_options({make_rule("stock", "stock:*", 100)}));
  driver.read("k", 9000);
  EXPECT_EQ(driver.explain("k").rule, std::nullopt);
  EXPECT_THAT(driver.explain("k").why, HasSubstr("no rule matches"));
}

}  // namespace
}  // namespace hotkeyd
