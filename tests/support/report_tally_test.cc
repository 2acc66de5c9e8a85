#include "tests/support/report_tally.h"

#include <gtest/gtest.h>

#include <string>

#include "resp/writer.h"
#include "wire/report.h"

namespace hotkeyd::testing {
namespace {

using Batches = std::map<BatchId, std::uint64_t>;
using Producers = std::map<std::string, ProducerTally>;

const std::string kHostileKey("\0\r\n*1", 5);

std::string report(std::uint64_t seq, std::uint64_t accesses, const char* producer = "p") {
  Report out;
  out.ns = "shop";
  out.producer = producer;
  out.epoch = 1;
  out.seq = seq;
  out.rows = {{.key = kHostileKey, .reads = accesses - 1}, {.key = "b", .writes = 1}};
  std::string bytes;
  append_report(bytes, out);
  return bytes;
}

TEST(ReportTally, KnowsABatchByItsAnswer) {
  ReportTally tally;
  const auto tap = tally.watch();
  tap(Way::up, report(1, 10) + report(2, 20));
  EXPECT_EQ(tally.life().unanswered.size(), 2U);
  tap(Way::down, ":2\r\n");
  EXPECT_EQ(tally.life().acknowledged, (Batches{{{"p", 1, 1}, 10}}));
  EXPECT_EQ(tally.life().unanswered,
            (std::map<BatchId, LifeTally::Unanswered>{{{"p", 1, 2}, {20, report(2, 20)}}}));
}

TEST(ReportTally, CountsABatchOnceHoweverOftenItIsSent) {
  ReportTally tally;
  tally.watch()(Way::up, report(1, 10));  // The connection broke.
  const auto second = tally.watch();
  second(Way::up, report(1, 10));
  second(Way::down, ":0\r\n");
  second(Way::up, report(1, 10));
  second(Way::down, ":0\r\n");
  EXPECT_EQ(tally.life().accesses(), 10U);
  EXPECT_EQ(tally.life().repeated, 1U);
  EXPECT_TRUE(tally.life().unanswered.empty());
}

TEST(ReportTally, ReadsWhatComesInSingleBytesBetweenPushesAndOtherCommands) {
  ReportTally tally;
  const auto tap = tally.watch();
  std::string up;
  append_command(up, {"HELLO", "3"});
  append_command(up, {"SUBSCRIBE", "hotkey:events:shop"});
  up += report(1, 10);
  append_command(up, {"hotkey", "rules", "shop"});
  up += report(2, 20);
  for (const char byte : up) tap(Way::up, {&byte, 1});
  const std::string down =
      "%1\r\n+a\r\n:3\r\n>3\r\n+subscribe\r\n+c\r\n:1\r\n:2\r\n>3\r\n+message\r\n+c\r\n+e\r\n$2\r\n{}\r\n:"
      "2\r\n";
  for (const char byte : down) tap(Way::down, {&byte, 1});
  EXPECT_EQ(tally.life().acknowledged, (Batches{{{"p", 1, 1}, 10}, {{"p", 1, 2}, 20}}));
}

TEST(ReportTally, LeavesARefusedNumberFree) {
  ReportTally tally;
  const auto tap = tally.watch();
  tap(Way::up, report(1, 10));
  tap(Way::down, "-ERR namespace limit (16) reached\r\n");
  EXPECT_EQ(tally.life().refused, 1U);
  EXPECT_EQ(tally.life().accesses(), 0U);
  EXPECT_TRUE(tally.life().unanswered.empty());
}

TEST(ReportTally, KeepsTheLivesOfADaemonApart) {
  ReportTally tally;
  const auto first = tally.watch();
  first(Way::up, report(1, 10) + report(2, 20) + report(1, 5, "q"));
  first(Way::down, ":2\r\n");
  tally.next_life();
  const auto second = tally.watch();
  second(Way::up, report(2, 20) + report(1, 10));
  second(Way::down, ":2\r\n:2\r\n");
  first(Way::down, ":2\r\n:2\r\n");  // Still about the first.
  EXPECT_EQ(tally.life().accesses(), 30U);
  EXPECT_EQ(tally.producers(), (Producers{{"p", {30, 2, 2}}, {"q", {5, 1, 1}}}));
}

}  // namespace
}  // namespace hotkeyd::testing
