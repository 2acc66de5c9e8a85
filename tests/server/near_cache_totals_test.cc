#include "server/near_cache_totals.h"

#include <gtest/gtest.h>

namespace hotkeyd {
namespace {

Report report(std::string_view producer, std::uint64_t epoch, std::uint64_t seq, std::uint64_t hits) {
  Report out;
  out.ns = "shop";
  out.producer = producer;
  out.epoch = epoch;
  out.seq = seq;
  out.near = NearCacheFigures{hits, hits / 10, 0, 0, 0};
  return out;
}

TEST(NearCacheTotals, AddWhatTheTotalsOfEachProducerGrew) {
  NearCacheTotals totals;
  totals.add(report("a", 1, 1, 100), Time{});
  totals.add(report("b", 1, 1, 50), Time{});
  totals.add(report("a", 1, 2, 130), Time{});
  EXPECT_EQ(totals.by_namespace(Time{}).at("shop").hits, 180U);
  EXPECT_EQ(totals.by_namespace(Time{}).at("shop").loads, 18U);
}

TEST(NearCacheTotals, LeaveOutWhatWasBeforeTheyKnewTheProducer) {
  NearCacheTotals totals;
  totals.add(report("a", 1, 500, 1000), Time{});
  totals.add(report("a", 1, 501, 1010), Time{});
  EXPECT_EQ(totals.by_namespace(Time{}).at("shop").hits, 10U);
}

TEST(NearCacheTotals, BeginAnewWithAnEpoch) {
  NearCacheTotals totals;
  totals.add(report("a", 1, 1, 100), Time{});
  totals.add(report("a", 2, 1, 20), Time{});
  EXPECT_EQ(totals.by_namespace(Time{}).at("shop").hits, 120U);
}

TEST(NearCacheTotals, AreNotMovedBackByABatchThatWasOvertaken) {
  NearCacheTotals totals;
  totals.add(report("a", 1, 1, 100), Time{});
  totals.add(report("a", 1, 3, 300), Time{});
  totals.add(report("a", 1, 2, 200), Time{});
  EXPECT_EQ(totals.by_namespace(Time{}).at("shop").hits, 300U);
}

TEST(NearCacheTotals, RememberABoundedNumberOfProducers) {
  NearCacheTotals totals(2);
  for (const std::string_view producer : {"a", "b", "c", "d"}) totals.add(report(producer, 1, 1, 10), Time{});
  EXPECT_EQ(totals.by_namespace(Time{}).at("shop").hits, 40U);
}

// What is shown of shop: entries, bytes, oldest copy in ms.
std::string held(const NearCacheTotals& totals, Time now) {
  const NearCacheStats sum = totals.by_namespace(now).at("shop");
  return std::to_string(sum.entries) + " " + std::to_string(sum.bytes) + " " + std::to_string(sum.oldest_ms);
}

Report holding(std::string_view producer, std::uint64_t seq, NearCacheFigures figures) {
  Report out = report(producer, 0, seq, 0);
  out.near = figures;
  return out;
}

TEST(NearCacheTotals, SumWhatTheProducersHoldAndTakeTheOldestCopy) {
  NearCacheTotals totals;
  totals.add(holding("a", 1, {0, 0, 10, 1000, 300}), Time{});
  totals.add(holding("b", 1, {0, 0, 5, 500, 900}), Time{});
  EXPECT_EQ(held(totals, Time{}), "15 1500 900");
  totals.add(holding("b", 2, {0, 0, 1, 100, 50}), Time{});
  EXPECT_EQ(held(totals, Time{}), "11 1100 300");
  totals.add(holding("a", 2, {0, 0, 1, UINT64_MAX, 0}), Time{});
  EXPECT_EQ(held(totals, Time{}), "2 18446744073709551615 50");
}

TEST(NearCacheTotals, ShowTheNewestBatchThoughAnOlderOneComesLater) {
  NearCacheTotals totals;
  totals.add(holding("a", 3, {0, 0, 3, 30, 3}), Time{});
  totals.add(holding("a", 2, {0, 0, 2, 20, 2}), Time{});
  EXPECT_EQ(held(totals, Time{}), "3 30 3");
}

TEST(NearCacheTotals, ForgetWhatASilentProducerHeldButNotWhatItDid) {
  NearCacheTotals totals;
  totals.add(holding("a", 1, {7, 2, 3, 30, 3}), Time{});
  EXPECT_EQ(held(totals, Time{NearCacheTotals::kLive}), "3 30 3");
  const Time later{NearCacheTotals::kLive + std::chrono::milliseconds{1}};
  EXPECT_EQ(held(totals, later), "0 0 0");
  EXPECT_EQ(totals.by_namespace(later).at("shop").hits, 7U);
}

}  // namespace
}  // namespace hotkeyd
