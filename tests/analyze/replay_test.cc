#include "analyze/replay.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace hotkeyd {
namespace {

constexpr UnixUs kSecond = 1'000'000;
constexpr UnixUs kStart = 1'700'000'000 * kSecond;

ReplayOptions hot_at(double rate) {
  ReplayOptions options;
  RuleOptions rule = default_rule();
  rule.promote.rate = rate;
  rule.promote.writes = 1e9;
  rule.demote.after = std::chrono::seconds{2};
  rule.near_cache = NearCacheOptions{std::chrono::milliseconds{100}, 1 << 20};
  options.detector.rules = {rule};
  return options;
}

ParsedAccess get(UnixUs ms, std::string_view key = "k") {
  return {kStart + ms * 1000, key, AccessKind::read, 10};
}
ParsedAccess set(UnixUs ms, std::string_view key = "k") {
  return {kStart + ms * 1000, key, AccessKind::write, 10};
}

AnalysisReport replayed(const ReplayOptions& options, const std::vector<ParsedAccess>& accesses) {
  Replay replay(options);
  for (const ParsedAccess& access : accesses) replay.take(access);
  return replay.finish();
}

// Ten reads, 10 ms apart: hot with the tenth, at 90 ms. Then: a load at 100, saved 110, a write, stale 120
// and 199, a load at 200, saved 210.
std::vector<ParsedAccess> worked_example() {
  std::vector<ParsedAccess> accesses;
  for (UnixUs at = 0; at < 100; at += 10) accesses.push_back(get(at));
  for (const UnixUs at : {100, 110}) accesses.push_back(get(at));
  accesses.push_back(set(115));
  for (const UnixUs at : {120, 199, 200, 210}) accesses.push_back(get(at));
  return accesses;
}

TEST(Replay, TellsOfTheWorkedExampleWhatCountingByHandTells) {
  const AnalysisReport report = replayed(hot_at(10), worked_example());
  AnalyzedEpisode episode;
  episode.key = "k";
  episode.rule = "default";
  episode.key_class = KeyClass::read;
  episode.start = kStart + 90'000;
  episode.end = kStart + 210'000;
  episode.peak_rate = 17;
  episode.share = 1;
  episode.near = {4, 2};
  EXPECT_EQ(report.episodes, (std::vector<AnalyzedEpisode>{episode}));
  AnalysisTotals totals;
  totals.accesses = 17;
  totals.reads = 16;
  totals.writes = 1;
  totals.start = kStart;
  totals.end = kStart + 210'000;
  totals.episodes = totals.still_hot = 1;
  totals.hot_accesses = 7;
  totals.near = {4, 2};
  EXPECT_EQ(report.totals, totals);
  EXPECT_EQ(report.top_shares, (std::vector<TopShare>{{1, 1, 0}}));
}

TEST(Replay, TakesTheTtlItIsGivenInsteadOfTheRules) {
  ReplayOptions options = hot_at(10);
  options.near_ttl_us = 50'000;
  EXPECT_EQ(replayed(options, worked_example()).totals.near, (NearTotals{4, 1}));
}

TEST(Replay, SavesNothingWhereTheRuleHasNoNearCache) {
  ReplayOptions options = hot_at(10);
  options.detector.rules[0].near_cache.reset();
  options.detector.rules[0].hot_pool = HotPoolOptions{4, 10};
  const AnalysisTotals totals = replayed(options, worked_example()).totals;
  EXPECT_EQ(totals.near, NearTotals{});
  EXPECT_EQ(totals.hot_pool_reads, 6U);
}

TEST(Replay, LeavesToTheHotPoolOnlyWhatTheNearCacheDidNotSave) {
  ReplayOptions options = hot_at(10);
  options.detector.rules[0].hot_pool = HotPoolOptions{4, 10};
  const AnalysisTotals totals = replayed(options, worked_example()).totals;
  EXPECT_EQ(totals.near, (NearTotals{4, 2}));
  EXPECT_EQ(totals.hot_pool_reads, 2U);
}

// Twenty reads make half of everything, then others come; of the silence the whole window of the rule is
// seen.
TEST(Replay, CoolsAfterASilenceAsSoonInALongWindowAsAHostThatRanOn) {
  ReplayOptions options = hot_at(1e6);
  RuleOptions& rule = options.detector.rules[0];
  rule.window = std::chrono::seconds{10};
  rule.promote.share = 0.5;
  rule.promote.share_floor = 2;
  constexpr UnixUs kHour = 3'600'000;
  std::vector<ParsedAccess> accesses{get(0, "first")};
  for (UnixUs at = 0; at < 20; ++at) accesses.push_back(get(kHour + at));
  for (UnixUs at = 1000; at < 15'000; at += 10) accesses.push_back(get(kHour + at, at % 20 == 0 ? "a" : "b"));
  const AnalysisReport report = replayed(options, accesses);
  ASSERT_FALSE(report.episodes.empty());
  EXPECT_EQ(report.episodes[0].key, "k");
  EXPECT_LT(report.episodes[0].end, kStart + (kHour + 6000) * 1000);
}

TEST(Replay, EndsAnEpisodeWhereTheKeyCooledThoughNothingIsRecordedThen) {
  std::vector<ParsedAccess> accesses = worked_example();
  accesses.push_back(get(3'600'000, "later"));
  const AnalysisReport report = replayed(hot_at(10), accesses);
  ASSERT_EQ(report.episodes.size(), 1U);
  // Below the way out when the window has lost the burst, and two seconds more.
  EXPECT_GT(report.episodes[0].end, kStart + 3 * kSecond);
  EXPECT_LE(report.episodes[0].end, kStart + 3'500'000);
  EXPECT_EQ(report.totals.still_hot, 0U);
}

TEST(Replay, CountsLateAccessesAtTheLatestTimeAndSkipsWhatNoServerWouldHave) {
  const std::string huge(65'537, 'x');
  const AnalysisReport report = replayed(
      hot_at(10), {get(100), get(100, "b"), get(60, ""), get(70, huge), get(50), get(400'000'000'000)});
  EXPECT_EQ(report.totals.accesses, 3U);
  EXPECT_EQ(report.totals.late, 1U);
  EXPECT_EQ(report.totals.skipped, 3U);
  EXPECT_EQ(report.totals.start, kStart + 100'000);
  EXPECT_EQ(report.totals.end, kStart + 100'000);
}

TEST(Replay, ListsNoMoreEpisodesThanItMay) {
  ReplayOptions options = hot_at(2);
  options.episodes_max = 1;
  const AnalysisReport report = replayed(options, {get(0, "b"), get(1, "b"), get(2, "a"), get(3, "a")});
  ASSERT_EQ(report.episodes.size(), 1U);
  EXPECT_EQ(report.episodes[0].key, "b");
  EXPECT_EQ(report.totals.episodes, 2U);
  EXPECT_EQ(report.totals.unlisted, 1U);
}

TEST(Replay, ListsNoMoreThan64MebibytesOfKeys) {
  std::vector<std::string> keys;
  for (int number = 0; number <= 1024; ++number) {
    keys.push_back(std::to_string(number));
    keys.back().resize(65'536, 'x');
  }
  Replay replay(hot_at(2));
  for (UnixUs number = 0; const std::string& key : keys) {
    for (const UnixUs at : {0, 1}) replay.take(get(10'000 * number + at, key));
    ++number;
  }
  const AnalysisReport report = replay.finish();
  EXPECT_EQ(report.episodes.size(), 1024U);
  EXPECT_EQ(report.totals.unlisted, 1U);
}

TEST(Replay, OfNothingIsAnEmptyReport) {
  const AnalysisReport report = replayed(hot_at(10), {});
  EXPECT_TRUE(report.episodes.empty());
  EXPECT_EQ(report.totals, AnalysisTotals{});
}

TEST(Replay, RefusesANamespaceThatTheConfigurationDoesNotKnow) {
  ReplayOptions options = hot_at(10);
  options.detector.namespaces = {"shop"};
  EXPECT_FALSE(Replay::check(options));
  options.ns = "shop";
  EXPECT_TRUE(Replay::check(options));
}

}  // namespace
}  // namespace hotkeyd
