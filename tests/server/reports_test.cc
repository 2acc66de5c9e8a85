#include "server/reports.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/server/server_rig.h"

namespace hotkeyd {
namespace {

using Words = std::vector<std::string>;

// REPORT shop app 1 <seq> with rows of "key reads" and some options.
Words report(int seq, const std::vector<std::pair<std::string, std::string>>& rows, const Words& options = {},
             const std::string& ns = "shop") {
  Words out{"HOTKEY", "REPORT", ns, "app", "1", std::to_string(seq), std::to_string(rows.size())};
  for (const auto& [key, reads] : rows) out.insert(out.end(), {key, reads, "0", "0", "0", "0"});
  out.insert(out.end(), options.begin(), options.end());
  return out;
}

TEST(Reports, CountEachBatchOnce) {
  ServerRig rig;
  const auto client = rig.connect();
  EXPECT_EQ(rig.raw(*client, report(1, {{"a", "60"}, {"b", "1"}})), ":2\r\n");
  EXPECT_EQ(rig.raw(*client, report(1, {{"a", "60"}, {"b", "1"}})), ":0\r\n");
  EXPECT_EQ(rig.raw(*client, report(1, {{"a", "60"}}, {}, "search")), ":0\r\n");
  EXPECT_EQ(rig.stats().sources["report"].accesses_by_namespace,
            (std::map<std::string, std::uint64_t>{{"shop", 61}}));
  EXPECT_EQ(rig.detector.stats(0).reads, 61U);
}

TEST(Reports, RefuseABadRowWholeAndLeaveTheNumberFree) {
  ServerRig rig;
  const auto client = rig.connect();
  EXPECT_TRUE(rig.raw(*client, report(1, {{"a", "60"}, {"b", "-1"}})).starts_with("-ERR row 2: "));
  EXPECT_EQ(rig.raw(*client, report(1, {{"a", "60"}})), ":1\r\n");
  EXPECT_EQ(rig.detector.stats(0).reads, 60U);
}

TEST(Reports, RefuseANamespaceOverTheLimitAndLeaveTheNumberFree) {
  ServerRig rig;
  const auto client = rig.connect();
  for (int i = 0; i < 16; ++i) rig.raw(*client, {"HOTKEY", "HIT", "ns" + std::to_string(i), "k"});
  EXPECT_EQ(rig.raw(*client, report(1, {{"a", "60"}})), "-ERR namespace limit (16) reached\r\n");
  EXPECT_EQ(rig.raw(*client, report(1, {{"a", "60"}}, {}, "ns1")), ":1\r\n");
  EXPECT_EQ(rig.stats().sources["report"].dropped_by_reason,
            (std::map<std::string, std::uint64_t>{{"namespace", 60}}));
}

TEST(Reports, SkipAndCountKeysThatAreEmptyOrTooLong) {
  ServerRig rig;
  const auto client = rig.connect();
  const std::string longest(65'536, 'x');
  EXPECT_EQ(rig.raw(*client, report(1, {{"", "300"}, {longest + "x", "500"}, {longest, "5"}})), ":1\r\n");
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "HIT", "shop", "", "7"}), ":0\r\n");
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "HIT", "shop", longest + "x", "8"}), ":0\r\n");
  auto stats = rig.stats();
  EXPECT_EQ(stats.sources["report"].dropped_by_reason,
            (std::map<std::string, std::uint64_t>{{"empty", 300}, {"oversize", 500}}));
  EXPECT_EQ(stats.sources["hit"].dropped_by_reason,
            (std::map<std::string, std::uint64_t>{{"empty", 7}, {"oversize", 8}}));
  EXPECT_EQ(rig.detector.stats(0).reads, 5U);
}

TEST(Reports, CountALateBatchAsLateAndUseItsNumberUp) {
  ServerRig rig;
  const auto client = rig.connect();
  EXPECT_EQ(rig.raw(*client, report(1, {{"a", "60"}, {"", "1"}}, {"AGE", "1001"})), ":0\r\n");
  EXPECT_EQ(rig.raw(*client, report(1, {{"a", "60"}})), ":0\r\n");
  EXPECT_EQ(rig.raw(*client, report(2, {{"a", "60"}}, {"AGE", "1000"})), ":1\r\n");
  EXPECT_EQ(rig.stats().sources["report"].dropped_by_reason,
            (std::map<std::string, std::uint64_t>{{"empty", 1}, {"late", 60}}));
}

TEST(Reports, KnowWhatWasLost) {
  ServerRig rig;
  const auto client = rig.connect();
  for (const int seq : {3, 1, 2, 70}) {
    rig.raw(*client, report(seq, {{"a", "10"}}, {"TOTALS", std::to_string(10 * seq), "0"}));
  }
  EXPECT_EQ(rig.stats().lost_batches, 3U);
  EXPECT_EQ(rig.stats().producers, 1U);
}

// What GET says of key a: count, error, of the base window of 1 s.
std::string figures(ServerRig& rig, const std::string& key = "a") {
  const auto known = rig.detector.explain(0, key, rig.now);
  if (!known) return "unknown";
  return std::to_string(known->figures.count) + " +- " + std::to_string(known->figures.error) + " sample " +
         std::to_string(known->figures.sample);
}

TEST(Reports, ScaleTheRowsOfAProducerThatDrops) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, report(1, {{"b", "1"}}, {"TOTALS", "10", "9"}));
  EXPECT_EQ(rig.raw(*client, report(2, {{"a", "64"}}, {"TOTALS", "266", "201"})), ":1\r\n");
  EXPECT_EQ(figures(rig), "256 +- 56 sample 4");  // 256 / 64 = 4; 2 * sqrt(3 * 256) = 55.4.
  auto stats = rig.stats();
  EXPECT_EQ(stats.sources["report"].accesses_by_namespace["shop"], 65U);
  EXPECT_EQ(stats.sources["report"].dropped_by_reason["overload"], 201U);
  EXPECT_EQ(rig.detector.stats(0).reads, 257U);
  EXPECT_EQ(stats.sources["report"].sampling_one_in, 257.0 / 65);
}

TEST(Reports, MultiplyTheSampleAndTheDropsUpToAThousand) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, report(1, {}, {"TOTALS", "0", "0", "SAMPLE", "10"}));
  rig.raw(*client, report(2, {{"a", "20"}}, {"SAMPLE", "10", "TOTALS", "40", "20"}));
  EXPECT_EQ(figures(rig), "400 +- 175 sample 20");  // 2 * sqrt(19 * 400) = 174.4.
  rig.raw(*client, report(3, {{"b", "1"}}, {"SAMPLE", "600", "TOTALS", "42", "21"}));
  EXPECT_EQ(figures(rig, "b"), "1000 +- 1999 sample 1000");  // 2 * sqrt(999 * 1000).
}

TEST(Reports, ScaleWhatWasLostToo) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, report(1, {}, {"SAMPLE", "10", "TOTALS", "0", "0"}));
  rig.raw(*client, report(2, {{"a", "20"}}, {"SAMPLE", "10", "TOTALS", "27", "0"}));
  EXPECT_EQ(rig.stats().lost_accesses, 7U);
  EXPECT_EQ(figures(rig), "200 +- 155 sample 10");  // 2 * sqrt(9 * 200) = 84.9, and 70 lost.
}

TEST(Reports, ShowHowMuchTheyScaleNow) {
  ServerRig rig;
  const auto client = rig.connect();
  const auto shown = [&] { return rig.stats().sources["report"].sampling_one_in; };
  EXPECT_EQ(shown(), 1);
  rig.raw(*client, report(1, {{"a", "10"}}, {"SAMPLE", "10"}));
  EXPECT_EQ(shown(), 10);
  rig.raw(*client, report(2, {{"a", "30"}}));
  EXPECT_EQ(shown(), 130.0 / 40);
  rig.run(1s);
  rig.raw(*client, report(3, {{"a", "60"}}));
  EXPECT_EQ(shown(), 190.0 / 100);
  rig.run(1s);
  rig.raw(*client, report(4, {{"a", "60"}}));
  EXPECT_EQ(shown(), 1);
  rig.raw(*client, report(5, {{"a", "60"}}, {"SAMPLE", "3"}));
  rig.run(2s);
  EXPECT_EQ(shown(), 1);
}

TEST(Reports, SurviveEveryClaimOfTotals) {
  ServerRig rig;
  const auto client = rig.connect();
  const std::string huge = "9223372036854775807";
  int seq = 0;
  for (const auto& [recorded, dropped] : std::vector<std::pair<std::string, std::string>>{
           {"0", "0"}, {huge, "0"}, {huge, huge}, {huge, "1"}, {"5", "5"}, {"1", "0"}, {huge, huge}}) {
    EXPECT_EQ(rig.raw(*client, report(++seq, {{"a", "3"}}, {"SAMPLE", huge, "TOTALS", recorded, dropped})),
              ":1\r\n");
  }
  EXPECT_EQ(rig.stats().sources["report"].accesses_by_namespace["shop"], 21U);
  EXPECT_EQ(rig.detector.stats(0).reads, 21'000U);
}

TEST(Reports, SaturateTheirColumns) {
  ServerRig rig;
  const auto client = rig.connect();
  EXPECT_EQ(rig.raw(*client, report(1, {{"a", "9223372036854775807"}})), ":1\r\n");
  EXPECT_EQ(rig.stats().sources["report"].accesses_by_namespace["shop"], 4'294'967'295U);
}

TEST(Reports, TellWhatTheyDecide) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, report(1, {{"a", "99"}}));
  EXPECT_TRUE(rig.outlet.events.empty());
  rig.raw(*client, report(2, {{"a", "1"}}));
  EXPECT_EQ(rig.outlet.events.size(), 1U);
}

TEST(Reports, ShowTheFiguresOfNearCaches) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, report(1, {}, {"NEAR", "10", "4", "1", "1", "1"}));
  rig.raw(*client, report(2, {}, {"NEAR", "15", "5", "1", "1", "1"}));
  EXPECT_EQ(rig.stats().near_caches["shop"].hits, 15U);
  EXPECT_EQ(rig.stats().near_caches["shop"].loads, 5U);
}

TEST(Hit, AnswersTheCountAndTakesAKind) {
  ServerRig rig;
  const auto client = rig.connect();
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "HIT", "shop", "k"}), ":1\r\n");
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "HIT", "shop", "k", "9"}), ":10\r\n");
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "HIT", "shop", "k", "write"}), ":11\r\n");
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "HIT", "shop", "k", "5", "MISS"}), ":16\r\n");
  const NamespaceStats stats = rig.detector.stats(0);
  EXPECT_EQ((std::vector{stats.reads, stats.writes, stats.misses}), (std::vector<std::uint64_t>{15, 1, 5}));
}

TEST(Hit, CountsTheRestOfAHugeCountAsOverload) {
  ServerRig rig;
  const auto client = rig.connect();
  EXPECT_EQ(rig.raw(*client, {"HOTKEY", "HIT", "shop", "k", "4294967305", "WRITE"}), ":4294967295\r\n");
  auto stats = rig.stats();
  EXPECT_EQ(stats.sources["hit"].accesses_by_namespace["shop"], 4'294'967'295U);
  EXPECT_EQ(stats.sources["hit"].dropped_by_reason["overload"], 10U);
}

TEST(Hit, RefusesWhatIsNoCountAndNoKind) {
  ServerRig rig;
  const auto client = rig.connect();
  for (const std::string bad : {"-1", "1.5", "", " 5", "1e3", "DELETE", "9223372036854775808"}) {
    EXPECT_TRUE(rig.raw(*client, {"HOTKEY", "HIT", "shop", "k", bad}).starts_with("-ERR ")) << bad;
    EXPECT_TRUE(rig.raw(*client, {"HOTKEY", "HIT", "shop", "k", bad, "READ"}).starts_with("-ERR ")) << bad;
  }
  EXPECT_EQ(rig.detector.namespaces(), 0U);
}

}  // namespace
}  // namespace hotkeyd
