#include "daemon/state_keeper.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/detector_driver.h"

namespace hotkeyd {
namespace {

using Words = std::vector<std::string>;

// A keeper over a detector, in virtual time; the test is the disk.
class Rig {
 public:
  Rig()
      : driver_(make_options({make_rule("rest", "*", 100)})), keeper_(header(), driver_.detector(), write()) {
    keeper_.begin(driver_.now().unix_ms, now());
    keeper_.written({}, now());
  }

  // Lets time pass, with a tick of the keeper at every slot.
  void run(Duration duration) {
    for (Duration passed{}; passed < duration; passed += 100ms) {
      driver_.run(100ms);
      keeper_.tick(now());
    }
  }
  void pin(const std::string& key) {
    driver_.pin(key);
    keeper_.orders_changed(
        [this, key](const Result<void>& saved) {
          answers.push_back(key + (saved ? "" : ": " + saved.error()));
        },
        now());
  }
  // The write that runs ends.
  void written(const Result<void>& result = {}) { keeper_.written(result, now()); }
  Words pins_in_last() const {
    Words keys;
    for (const auto& space : writes.back().orders->namespaces) {
      for (const SavedOrder& order : space.pins) keys.push_back(order.key);
    }
    return keys;
  }
  Words hot_in_last() const {
    Words keys;
    for (const SavedHotSet& set : *writes.back().hot) {
      for (const SavedHotKey& key : set.keys) keys.push_back(key.key);
    }
    return keys;
  }
  Now now() const { return driver_.now(); }
  DetectorDriver& driver() { return driver_; }
  StateKeeper& keeper() { return keeper_; }

  std::vector<StateImage> writes;
  Words answers;

 private:
  static StateHeader header() { return {"web-17", 7, 0, 0, 9000}; }
  StateKeeper::Write write() {
    return [this](StateImage image) { writes.push_back(std::move(image)); };
  }

  DetectorDriver driver_;
  StateKeeper keeper_;
};

TEST(StateKeeper, WritesNothingWhereNothingChanges) {
  Rig rig;
  rig.run(60s);
  EXPECT_EQ(rig.writes.size(), 0U);
  EXPECT_FALSE(rig.keeper().stats().is_unsaved);
}

TEST(StateKeeper, SavesAnOrderAtOnceAndAnswersBehindIt) {
  Rig rig;
  rig.pin("a");
  ASSERT_EQ(rig.writes.size(), 1U);
  EXPECT_EQ(rig.pins_in_last(), Words{"a"});
  EXPECT_EQ(rig.writes[0].header.epoch, 7U);
  EXPECT_EQ(rig.answers, Words{});
  EXPECT_TRUE(rig.keeper().stats().is_unsaved);
  rig.written();
  EXPECT_EQ(rig.answers, Words{"a"});
  EXPECT_FALSE(rig.keeper().stats().is_unsaved);
}

TEST(StateKeeper, LetsOrdersThatWaitShareOneWrite) {
  Rig rig;
  for (const char* key : {"a", "b", "c", "d"}) rig.pin(key);
  EXPECT_EQ(rig.writes.size(), 1U);
  EXPECT_EQ(rig.pins_in_last(), Words{"a"});
  rig.written();
  EXPECT_EQ(rig.answers, Words{"a"});
  ASSERT_EQ(rig.writes.size(), 2U);
  EXPECT_EQ(rig.pins_in_last(), (Words{"a", "b", "c", "d"}));
  rig.written();
  EXPECT_EQ(rig.answers, (Words{"a", "b", "c", "d"}));
  rig.run(100ms);
  EXPECT_EQ(rig.writes.size(), 2U);
}

TEST(StateKeeper, AnswersAFailureAndTriesAgainUntilItWorks) {
  Rig rig;
  rig.pin("a");
  rig.written(Error{"disk full"});
  EXPECT_EQ(rig.answers, Words{"a: disk full"});
  rig.pin("b");  // An order is tried at once, whatever the pause.
  ASSERT_EQ(rig.writes.size(), 2U);
  rig.written(Error{"disk full"});
  EXPECT_TRUE(rig.keeper().stats().is_unsaved);
  rig.run(60s);  // One that runs is never joined by another.
  ASSERT_EQ(rig.writes.size(), 3U);
  rig.written();
  EXPECT_EQ(rig.pins_in_last(), (Words{"a", "b"}));
  EXPECT_EQ(rig.answers.size(), 2U);
  EXPECT_FALSE(rig.keeper().stats().is_unsaved);
  EXPECT_EQ(rig.keeper().stats().failed, 2U);
  EXPECT_EQ(rig.keeper().stats().saved, 2U);
}

TEST(StateKeeper, TriesSeldomWhileTheDiskStaysFull) {
  Rig rig;
  rig.pin("a");
  for (int slot = 0; slot < 3000; ++slot) {
    const std::size_t before = rig.keeper().stats().failed + rig.keeper().stats().saved - 1;
    if (rig.writes.size() > before) rig.written(Error{"disk full"});
    rig.run(100ms);
  }
  EXPECT_GE(rig.writes.size(), 10U);  // In five minutes: 1, 2, 4, 8, 16 and then 30 s apart, or half of it.
  EXPECT_LE(rig.writes.size(), 30U);
}

TEST(StateKeeper, SavesTheHotSetAtMostOnceASecond) {
  Rig rig;
  for (int key = 0; key < 50; ++key) {
    rig.driver().read("k" + std::to_string(key), 200);
    rig.run(100ms);
    if (rig.keeper().stats().saved <= rig.writes.size()) rig.written();
  }
  EXPECT_GE(rig.writes.size(), 4U);
  EXPECT_LE(rig.writes.size(), 5U);
}

TEST(StateKeeper, KeepsAHotSetYoungerThanAThirdOfItsLease) {
  Rig rig;
  rig.driver().pin("k");
  UnixMs last = 0;
  for (int slot = 0; slot < 300; ++slot) {
    rig.run(100ms);
    if (rig.keeper().stats().saved <= rig.writes.size()) rig.written();
    if (!rig.writes.empty()) last = rig.writes.back().header.hot_at_ms;
    if (slot > 20) {
      EXPECT_LE(rig.now().unix_ms - last, 3100);
    }
  }
  EXPECT_LE(rig.writes.size(), 11U);
  EXPECT_EQ(rig.hot_in_last(), Words{"k"});
  rig.driver().unpin("k");
  rig.run(1s);
  rig.written();
  EXPECT_EQ(rig.hot_in_last(), Words{});
  const std::size_t writes = rig.writes.size();
  rig.run(60s);
  EXPECT_EQ(rig.writes.size(), writes);
}

TEST(StateKeeper, DatesARestoredHotSetAnewAfterASecond) {
  DetectorDriver driver(make_options({make_rule("rest", "*", 100)}));
  driver.pin("k");
  std::vector<StateImage> writes;
  StateKeeper keeper({"n", 1, 0, 0, 9000}, driver.detector(),
                     [&](StateImage image) { writes.push_back(std::move(image)); });
  const StateImage first = keeper.begin(kStartMs - 5000, driver.now());
  EXPECT_EQ(first.header.hot_at_ms, kStartMs - 5000);
  keeper.written({}, driver.now());
  driver.run(1s);
  keeper.tick(driver.now());
  ASSERT_EQ(writes.size(), 1U);
  EXPECT_EQ(writes[0].header.hot_at_ms, kStartMs + 1000);
}

TEST(StateKeeper, GivesOrdersUpThatASilentDiskKeeps) {
  Rig rig;
  rig.pin("a");
  rig.run(9s);
  rig.pin("b");
  EXPECT_EQ(rig.answers, Words{});
  rig.run(1s);
  const std::string late = ": the disk has not answered for 10 s";
  EXPECT_EQ(rig.answers, (Words{"a" + late, "b" + late}));
  EXPECT_EQ(rig.writes.size(), 1U);
  rig.written();  // It answers after all: what came later is saved now.
  rig.run(100ms);
  ASSERT_EQ(rig.writes.size(), 2U);
  EXPECT_EQ(rig.pins_in_last(), (Words{"a", "b"}));
  rig.written();
  EXPECT_EQ(rig.answers.size(), 2U);
  EXPECT_FALSE(rig.keeper().stats().is_unsaved);
}

TEST(StateKeeper, SavesOnceMoreAtTheStop) {
  Rig rig;
  rig.driver().pin("hot");
  bool stopped = false;
  rig.keeper().stop([&] { stopped = true; }, rig.now());
  ASSERT_EQ(rig.writes.size(), 1U);
  EXPECT_EQ(rig.hot_in_last(), Words{"hot"});
  EXPECT_FALSE(stopped);
  rig.written(Error{"disk full"});
  EXPECT_TRUE(stopped);
}

TEST(StateKeeper, StopsBehindTheWriteThatRuns) {
  Rig rig;
  rig.pin("a");
  bool stopped = false;
  rig.pin("b");
  rig.keeper().stop([&] { stopped = true; }, rig.now());
  EXPECT_EQ(rig.writes.size(), 1U);
  rig.written();
  EXPECT_FALSE(stopped);
  ASSERT_EQ(rig.writes.size(), 2U);
  EXPECT_EQ(rig.pins_in_last(), (Words{"a", "b"}));
  rig.written();
  EXPECT_TRUE(stopped);
  EXPECT_EQ(rig.answers, (Words{"a", "b"}));
}

}  // namespace
}  // namespace hotkeyd
