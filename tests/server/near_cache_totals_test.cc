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
  totals.add(report("a", 1, 1, 100));
  totals.add(report("b", 1, 1, 50));
  totals.add(report("a", 1, 2, 130));
  EXPECT_EQ(totals.by_namespace().at("shop").hits, 180U);
  EXPECT_EQ(totals.by_namespace().at("shop").loads, 18U);
}

TEST(NearCacheTotals, LeaveOutWhatWasBeforeTheyKnewTheProducer) {
  NearCacheTotals totals;
  totals.add(report("a", 1, 500, 1000));
  totals.add(report("a", 1, 501, 1010));
  EXPECT_EQ(totals.by_namespace().at("shop").hits, 10U);
}

TEST(NearCacheTotals, BeginAnewWithAnEpoch) {
  NearCacheTotals totals;
  totals.add(report("a", 1, 1, 100));
  totals.add(report("a", 2, 1, 20));
  EXPECT_EQ(totals.by_namespace().at("shop").hits, 120U);
}

TEST(NearCacheTotals, AreNotMovedBackByABatchThatWasOvertaken) {
  NearCacheTotals totals;
  totals.add(report("a", 1, 1, 100));
  totals.add(report("a", 1, 3, 300));
  totals.add(report("a", 1, 2, 200));
  EXPECT_EQ(totals.by_namespace().at("shop").hits, 300U);
}

TEST(NearCacheTotals, RememberABoundedNumberOfProducers) {
  NearCacheTotals totals(2);
  for (const std::string_view producer : {"a", "b", "c", "d"}) totals.add(report(producer, 1, 1, 10));
  EXPECT_EQ(totals.by_namespace().at("shop").hits, 40U);
}

}  // namespace
}  // namespace hotkeyd
