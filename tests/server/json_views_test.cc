#include "server/json_views.h"

#include <gtest/gtest.h>

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

TEST(JsonViews, SayEverythingKnownOfAKey) {
  Explanation explanation;
  explanation.key = "product:1";
  explanation.figures = {160, 150, 10, 20, 30, 4000, 160, 2, 0.5, 1};
  explanation.standing = Standing::hot;
  explanation.rule = "rest";
  explanation.since_ms = 1'796'053'922'113;
  explanation.why = "It is hot.";
  EXPECT_EQ(
      explanation_json("shop", explanation),
      R"({"ns":"shop","key":"product:1","rate":160,"error":2,"count":160,"reads":150,"writes":10,"misses":20,)"
      R"("local_hits":30,"bytes":4000,"class":"read","state":"hot","rule":"rest","since_ms":1796053922113,)"
      R"("pinned":false,"denied":false,"why":"It is hot."})");
}

TEST(JsonViews, SayAKeyThatIsNotUtf8InBase64) {
  Explanation explanation;
  explanation.key = "\xff\n";
  explanation.denied = true;
  explanation.standing = Standing::denied;
  const std::string json = explanation_json("shop", explanation);
  EXPECT_NE(json.find(R"("key":null,"key_b64":"/wo=")"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("state":"denied","rule":null,)"), std::string::npos) << json;
}

TEST(JsonViews, ShowAnEpisodeRunningAndEnded) {
  Episode episode{"k", "rest", KeyClass::write, Reason::writes, 1000, std::nullopt, 150};
  EXPECT_EQ(episode_json(episode),
            R"({"key":"k","rule":"rest","class":"write","reason":"writes","started_ms":1000,"ended_ms":null,)"
            R"("peak_rate":150})");
  episode.rule = std::nullopt;
  episode.ended_ms = 2000;
  EXPECT_EQ(episode_json(episode),
            R"({"key":"k","rule":null,"class":"write","reason":"writes","started_ms":1000,"ended_ms":2000,)"
            R"("peak_rate":150})");
}

TEST(JsonViews, ShowRulesWithTheirEffectiveValues) {
  EffectiveRule stock;
  stock.options.name = "stock";
  stock.options.pattern = "stock:*";
  stock.options.ns = "shop";
  stock.options.window = 1s;
  stock.options.promote = {1000, 100.5, std::nullopt, 0.1, 100};
  stock.options.demote = {700, 5s};
  stock.options.near_cache = std::nullopt;
  stock.options.split = SplitOptions{16, 5000};
  EffectiveRule pages;
  pages.options.name = "pages";
  pages.options.match_kind = MatchKind::regex;
  pages.options.pattern = "^p\xff";
  pages.options.window = 60s;
  pages.options.hot_pool = HotPoolOptions{4, 5000};
  pages.options.alert = AlertOptions{100'000};
  EXPECT_EQ(
      rules_json({{stock, pages}, 100}),
      R"({"rules":[{"name":"stock","match":"stock:*","ns":"shop","window_ms":1000,)"
      R"("promote":{"rate":1000,"writes":100.5,"misses":null,"share":0.1,"share_floor":100},)"
      R"("demote":{"rate":700,"after_ms":5000},"near_cache":null,"hot_pool":null,"split":{"shards":16,"at":5000},)"
      R"("alert":null},{"name":"pages","regex":"^p\ufffd","ns":null,"window_ms":60000,)"
      R"("promote":{"rate":null,"writes":null,"misses":null,"share":null,"share_floor":100},)"
      R"("demote":{"rate":null,"after_ms":5000},"near_cache":{"ttl_ms":1000,"max_value_bytes":1048576},)"
      R"("hot_pool":{"copies":4,"at":5000},"split":null,"alert":{"at":100000}}],"smallest_threshold":100})");
}

}  // namespace
}  // namespace hotkeyd
