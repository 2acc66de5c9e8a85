#include "cli/top_sample.h"

#include <gtest/gtest.h>

#include <chrono>

namespace hotkeyd {
namespace {

using std::chrono::milliseconds;

RespValue bulk(std::string text) { return {RespValue::Kind::bulk, std::move(text), 0, {}}; }
RespValue integer(std::int64_t number) { return {RespValue::Kind::integer, "", number, {}}; }
RespValue array(std::vector<RespValue> items) { return {RespValue::Kind::array, "", 0, std::move(items)}; }

RespValue row(const std::string& key, std::int64_t rate) {
  return array({bulk(key), integer(rate), integer(3), bulk("read"), bulk("hot")});
}

RespValue info(std::uint64_t epoch, std::uint64_t accesses) {
  return bulk(
      "# Server\r\nhotkeyd_version:0.1.0\r\nnode:web-17\r\nepoch:" + std::to_string(epoch) +
      "\r\n\r\n# "
      "Namespaces\r\nns_shop2:accesses=9,tracked_keys=9,hot_keys=9,hottest_rate=9\r\nns_shop:accesses=" +
      std::to_string(accesses) + ",tracked_keys=40,hot_keys=2,hottest_rate=70\r\n");
}

Now at(std::int64_t ms) { return {Time{} + milliseconds(ms), 1'000'000 + ms}; }

TEST(TopSample, ReadsBothAnswers) {
  TopSampler sampler("shop");
  TopSample expected;
  expected.ns = "shop";
  expected.node = "web-17";
  expected.epoch = 5;
  expected.at_ms = 1'000'100;
  expected.hot_keys = 2;
  expected.tracked_keys = 40;
  expected.keys = {{std::string("a\0b", 3), 70, 3, "read", "hot"}, {"c", 1, 3, "read", "hot"}};
  EXPECT_EQ(sampler.take(array({row(std::string("a\0b", 3), 70), row("c", 1)}), info(5, 1000), at(100)),
            expected);
}

TEST(TopSample, TheRateIsTheGrowthSinceTheSampleBefore) {
  TopSampler sampler("shop");
  EXPECT_EQ(sampler.take(array({}), info(5, 1000), at(0)).rate, std::nullopt);
  EXPECT_EQ(sampler.take(array({}), info(5, 1500), at(2000)).rate, 250.0);
  EXPECT_EQ(sampler.take(array({}), info(5, 1500), at(3000)).rate, 0.0);
}

TEST(TopSample, ARestartedDaemonCountsFromTheBeginning) {
  TopSampler sampler("shop");
  sampler.take(array({}), info(5, 1000), at(0));
  EXPECT_EQ(sampler.take(array({}), info(6, 9000), at(1000)).rate, std::nullopt);
  EXPECT_EQ(sampler.take(array({}), info(6, 9100), at(2000)).rate, 100.0);
}

TEST(TopSample, SharesAreOfTheWholeRateAndAtMostAll) {
  TopSample sample;
  const RankedKey key{"k", 50, 0, "read", "hot"};
  EXPECT_EQ(share_of(sample, key), std::nullopt);
  sample.rate = 0;
  EXPECT_EQ(share_of(sample, key), std::nullopt);
  sample.rate = 200;
  EXPECT_EQ(share_of(sample, key), 0.25);
  sample.rate = 10;
  EXPECT_EQ(share_of(sample, key), 1.0);
}

TEST(TopSample, SurvivesAnswersItDoesNotKnow) {
  TopSampler sampler("shop");
  const RespValue negative = array({bulk("k"), integer(-1), integer(-1), bulk(""), bulk("")});
  const auto sample =
      sampler.take(array({bulk("x"), array({bulk("short")}), negative}), bulk("nonsense"), at(0));
  EXPECT_EQ(sample.keys, (std::vector<RankedKey>{{"k", 0, 0, "", ""}}));
  EXPECT_EQ(sample.hot_keys, 0U);
}

}  // namespace
}  // namespace hotkeyd
