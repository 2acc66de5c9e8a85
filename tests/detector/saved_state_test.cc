#include "detector/saved_state.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/detector_driver.h"

namespace hotkeyd {
namespace {

using Words = std::vector<std::string>;

struct Saved {
  SavedOrders orders;
  SavedHotSets hot;
};

Saved save(DetectorDriver& driver) {
  return {driver.detector().save_orders(), driver.detector().save_hot_sets()};
}

// A detector that starts `later` after the one before ended, with what that one saved.
class Next {
 public:
  Next(const DetectorOptions& options, const Saved& saved, Duration later = 1s)
      : now_{Time{} + later, kStartMs + to_ms(later)}, detector_(options, now_) {
    restored = detector_.restore(saved.orders, saved.hot, now_);
  }

  void run(Duration duration) {
    for (const Time end = now_.steady + duration; now_.steady < end;) {
      now_.steady += 100ms;
      now_.unix_ms += 100;
      detector_.tick(now_, decisions_);
    }
  }
  void read_steadily(std::string_view key, std::uint64_t per_slot, Duration duration) {
    for (Duration passed{}; passed < duration; passed += 100ms) {
      const Access access{.key = key, .reads = per_slot};
      detector_.observe(*detector_.open("shop"), {&access, 1}, {}, now_, decisions_);
      run(100ms);
    }
  }
  Words told() {
    Words sentences;
    for (const Decision& decision : std::exchange(decisions_, {})) sentences.push_back(sentence(decision));
    return sentences;
  }
  Words hot(std::string_view ns = "shop") const {
    Words keys;
    const auto id = detector_.find(ns);
    if (!id) return {"no namespace"};
    for (const HotKey* hot : detector_.hot_keys(*id))
      keys.push_back(hot->key + " " + std::to_string(hot->seq));
    return keys;
  }
  HotKey hot_key(std::size_t index = 0) const {
    return *detector_.hot_keys(*detector_.find("shop")).at(index);
  }
  Detector& detector() { return detector_; }
  Now now() const { return now_; }

  Restored restored;

 private:
  Now now_;
  Detector detector_;
  Decisions decisions_;
};

DetectorOptions usual() { return make_options({make_rule("rest", "*", 100)}); }

TEST(SavedState, OfANewDetectorIsEmpty) {
  DetectorDriver driver(usual());
  EXPECT_EQ(save(driver).orders, SavedOrders{});
  EXPECT_EQ(save(driver).hot, SavedHotSets{});
  EXPECT_EQ(driver.detector().decisions(), 0U);
}

TEST(SavedState, HoldsOrdersAndHotKeysInFull) {
  DetectorDriver driver(usual());
  driver.pin("b");
  driver.pin("a", 5s);
  driver.deny("d");
  driver.disable(7s);
  driver.disable_all();
  EXPECT_EQ(save(driver).orders,
            (SavedOrders{{true, std::nullopt},
                         {{"shop",
                           {true, kStartMs + 7000},
                           {{"a", kStartMs, kStartMs + 5000}, {"b", kStartMs, std::nullopt}},
                           {{"d", kStartMs, std::nullopt}}}}}));
  EXPECT_EQ(save(driver).hot, SavedHotSets{});

  driver.enable_all();
  driver.unpin("a");
  driver.unpin("b");
  driver.read_steadily("k", 20, 1s);
  const UnixMs promoted_ms = driver.decisions().back().at_ms;
  EXPECT_EQ(save(driver).hot, (SavedHotSets{{"shop",
                                             {{"k",
                                               true,
                                               KeyClass::read,
                                               {},
                                               true,
                                               Reason::rate,
                                               Reason::rate,
                                               promoted_ms,
                                               promoted_ms,
                                               200,
                                               200}}}}));
}

TEST(SavedState, OfALaterClockIsHotSinceNow) {
  DetectorDriver driver(usual());
  driver.run(60s);
  driver.read("k", 150);
  driver.pin("p");
  const Saved saved = save(driver);
  Next next(usual(), saved, 1s);  // A minute before it was saved.
  EXPECT_EQ(next.hot_key().detected_at_ms, kStartMs + 1000);
  EXPECT_EQ(next.detector().explain(0, "k", next.now())->since_ms, kStartMs + 1000);
  EXPECT_EQ(next.detector().explain(0, "p", next.now())->since_ms, kStartMs + 1000);
}

TEST(SavedState, GoesOnWithoutAnEvent) {
  DetectorDriver driver(usual());
  driver.read_steadily("k", 20, 2s);
  const HotKey before = *driver.detector().hot_keys(driver.ns())[0];
  Next next(usual(), save(driver), 3s);
  EXPECT_EQ(next.restored, (Restored{.hot_keys = 1}));
  EXPECT_EQ(next.hot(), Words{"k 0"});
  EXPECT_EQ(next.hot_key().detected_at_ms, before.detected_at_ms);
  EXPECT_EQ(next.hot_key().actions, before.actions);
  EXPECT_EQ(next.hot_key().rule, before.rule);
  next.read_steadily("k", 20, 3s);  // Crosses again: no second promotion.
  EXPECT_EQ(next.told(), Words{});
  EXPECT_EQ(next.hot_key().figures.rate, 200U);
  next.run(4s);
  EXPECT_EQ(next.told(), Words{"demoted k cooled"});
  const auto episodes = next.detector().episodes(0, 10);
  ASSERT_EQ(episodes.size(), 1U);
  EXPECT_EQ(episodes[0].started_ms, before.detected_at_ms);
  EXPECT_EQ(episodes[0].peak_rate, 200U);
}

TEST(SavedState, CoolsOnlyAfterAWholeWindowAndTheWaitBehindIt) {
  DetectorDriver driver(usual());
  driver.read_steadily("k", 20, 2s);
  Next next(usual(), save(driver), 1050ms);  // In the middle of a slot.
  next.run(1900ms);                          // A window of 1 s, then `after` 1 s.
  EXPECT_EQ(next.told(), Words{});
  next.run(300ms);
  EXPECT_EQ(next.told(), Words{"demoted k cooled"});
}

TEST(SavedState, PromotesPinsThatAreNotInTheHotSetAtTheFirstTick) {
  DetectorDriver driver(usual());
  driver.pin("in");
  Saved saved = save(driver);
  driver.pin("out");
  saved.orders = save(driver).orders;
  Next next(usual(), saved);
  EXPECT_EQ(next.hot(), Words{"in 0"});
  next.run(100ms);
  EXPECT_EQ(next.told(), Words{"promoted out pinned"});
  EXPECT_EQ(next.hot(), (Words{"in 0", "out 1"}));
}

TEST(SavedState, DropsHotKeysWithoutARuleDeniedOrNoLongerPinned) {
  DetectorDriver driver(make_options({make_rule("a", "a*", 100), make_rule("b", "b*", 100)}));
  driver.pin("pinned");
  for (int slot = 0; slot < 10; ++slot) {
    driver.observe({{.key = "a", .reads = 20}, {.key = "b", .reads = 20}, {.key = "aa", .reads = 20}});
    driver.run(100ms);
  }
  Saved saved = save(driver);
  driver.unpin("pinned");
  driver.deny("aa");
  saved.orders = save(driver).orders;
  Next next(make_options({make_rule("new", "a*", 100)}), saved);
  EXPECT_EQ(next.hot(), Words{"a 0"});
  EXPECT_EQ(next.hot_key().rule, "new");
  EXPECT_EQ(next.restored, (Restored{.orders = 1, .hot_keys = 1, .hot_keys_dropped = 3}));
  next.run(100ms);
  EXPECT_EQ(next.told(), Words{});
}

TEST(SavedState, KeepsTheKillSwitches) {
  DetectorDriver driver(usual());
  driver.read_steadily("k", 20, 1s);
  driver.pin("p");
  Saved saved = save(driver);
  driver.disable(10s);
  saved.orders = save(driver).orders;
  Next next(usual(), saved);
  next.read_steadily("k", 20, 2s);
  EXPECT_EQ(next.hot(), Words{});
  next.read_steadily("k", 20, 8s);
  EXPECT_EQ(next.told(), (Words{"promoted p pinned", "promoted k rate"}));

  driver.enable();
  driver.disable_all();
  Next all(usual(), save(driver));
  all.read_steadily("k", 20, 2s);
  EXPECT_EQ(all.hot(), Words{});
}

TEST(SavedState, DropsOrdersWhoseEndHasPassed) {
  DetectorDriver driver(usual());
  driver.pin("short", 500ms);
  driver.pin("long", 5s);
  driver.deny("gone", 1s);
  driver.disable(1s);
  driver.disable_all(1s);
  Next next(usual(), save(driver));
  EXPECT_EQ(next.restored, (Restored{.orders = 1, .orders_ended = 4}));
  next.run(100ms);
  EXPECT_EQ(next.told(), Words{"promoted long pinned"});
  next.run(4s);
  EXPECT_EQ(next.told(), Words{"demoted long unpinned"});
}

TEST(SavedState, OfAPinnedKeyThatIsHotByRateGoesOnAfterThePin) {
  DetectorDriver driver(usual());
  driver.read_steadily("k", 20, 1s);
  driver.pin("k", 3s);
  Next next(usual(), save(driver));
  EXPECT_EQ(next.hot(), Words{"k 0"});
  next.read_steadily("k", 20, 4s);
  EXPECT_EQ(next.told(), Words{"updated k unpinned"});
}

TEST(SavedState, RespectsLimitsTheHottestFirst) {
  DetectorDriver driver(usual());
  for (int slot = 0; slot < 10; ++slot) {
    driver.observe({{.key = "a", .reads = 20}, {.key = "b", .reads = 40}, {.key = "c", .reads = 30}});
    driver.run(100ms);
  }
  driver.deny("x");
  driver.deny("y");
  driver.deny("z");
  DetectorOptions smaller = usual();
  smaller.hot_keys_max = 2;
  Next next(smaller, save(driver));
  EXPECT_EQ(next.hot(), (Words{"b 0", "c 0"}));
  EXPECT_EQ(next.restored,
            (Restored{.orders = 2, .orders_refused = 1, .hot_keys = 2, .hot_keys_dropped = 1}));
  // What they had counts until a window was seen: a newcomer that is cooler does not push them out.
  next.read_steadily("n", 15, 800ms);
  EXPECT_EQ(next.told(), Words{});
}

TEST(SavedState, OfANamespaceThatMayNotBeOpenedIsRefused) {
  DetectorDriver driver(usual());
  driver.read_steadily("k", 20, 1s);
  driver.pin("p");
  DetectorOptions fixed = usual();
  fixed.namespaces = {"search"};
  Next next(fixed, save(driver));
  EXPECT_EQ(next.restored, (Restored{.orders_refused = 1, .hot_keys_dropped = 2}));
  EXPECT_EQ(next.detector().namespaces(), 0U);
}

TEST(SavedState, KeepsLevelsUntilTheyFallAndTheSizeGuard) {
  RuleOptions rule = make_rule("rest", "*", 100);
  rule.split = SplitOptions{.shards = 8, .at = 150};
  rule.near_cache = NearCacheOptions{.ttl = 1s, .max_value_bytes = 10};
  DetectorDriver driver(make_options({rule}));
  for (int slot = 0; slot < 20; ++slot) {
    driver.observe({{.key = "k", .reads = 20, .bytes = 20 * 100}});
    driver.run(100ms);
  }
  Next next(make_options({rule}), save(driver));
  EXPECT_EQ(next.hot_key().level, Level::split);
  EXPECT_EQ(next.hot_key().actions.split_shards, 8U);
  EXPECT_EQ(next.hot_key().actions.near_cache, std::nullopt);
  next.run(900ms);
  EXPECT_EQ(next.hot_key().level, Level::split);

  rule.split.reset();
  Next without(make_options({rule}), save(driver));
  EXPECT_EQ(without.hot_key().level, Level::hot);
  EXPECT_EQ(without.hot_key().actions, Actions{});
}

TEST(SavedState, OfARestoredDetectorIsTheSameAgain) {
  DetectorDriver driver(usual());
  driver.read_steadily("k", 20, 1s);
  driver.pin("p");
  driver.deny("d", 60s);
  const Saved saved = save(driver);
  Next next(usual(), saved);
  EXPECT_EQ(next.detector().save_orders(), saved.orders);
  SavedHotSets again = next.detector().save_hot_sets();
  for (SavedHotKey& key : again.at(0).keys) key.rate = key.key == "k" ? 200 : 0;  // Counted anew.
  EXPECT_EQ(again, saved.hot);
}

}  // namespace
}  // namespace hotkeyd
