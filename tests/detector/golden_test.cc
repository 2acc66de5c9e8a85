// The same inputs make the same decisions, to the byte: a scripted stream against the committed text.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "tests/support/detector_driver.h"
#include "tests/support/source_dir.h"
#include "tests/support/zipf.h"

namespace hotkeyd {
namespace {

std::string actions_text(const Actions& actions) {
  std::string text;
  if (actions.near_cache) text += fmt::format(" near_cache={}", to_ms(actions.near_cache->ttl));
  if (actions.hot_pool_copies) text += fmt::format(" hot_pool={}", *actions.hot_pool_copies);
  if (actions.split_shards) text += fmt::format(" split={}", *actions.split_shards);
  return actions.alert ? text + " alert" : text;
}

std::string line(const Decision& decision) {
  const HotKey& key = decision.key;
  const KeyFigures& figures = key.figures;
  return fmt::format(
      "{:>6} #{} {} {} {} {} {} rule={} count={} reads={} writes={} misses={} rate={} error={} "
      "share={:.4f}{}\n",
      decision.at_ms - kStartMs, key.seq, to_string(decision.kind), key.key, to_string(key.reason),
      to_string(key.key_class), to_string(key.level), key.rule.value_or("-"), figures.count, figures.reads,
      figures.writes, figures.misses, figures.rate, figures.error, figures.share, actions_text(key.actions));
}

std::vector<RuleOptions> rules() {
  RuleOptions stock = make_rule("stock", "stock:*", 150);
  stock.near_cache.reset();
  stock.promote.writes = 40;
  stock.split = SplitOptions{16, 300};
  RuleOptions product = make_rule("product", "product:*", 400);
  product.promote.share = 0.15;
  product.hot_pool = HotPoolOptions{4, 800};
  product.alert = AlertOptions{1200};
  RuleOptions pages = make_rule("pages", "page:*", 50);
  pages.window = 10s;
  return {stock, product, pages, make_rule("rest", "*", 100)};
}

void send(DetectorDriver& driver, Zipf& zipf, int slots) {
  static constexpr const char* kPrefixes[] = {"product:", "stock:", "page:", "user:"};
  for (int i = 0; i < slots * 10; ++i) {
    std::vector<std::string> names;
    for (int row = 0; row < 40; ++row) {
      const std::size_t key = zipf.draw();
      names.push_back(kPrefixes[key % 4] + std::to_string(key));
    }
    std::vector<Access> batch;
    for (std::size_t row = 0; row < names.size(); ++row) {
      batch.push_back({.key = names[row],
                       .reads = 1 + row % 3,
                       .writes = row % 5 == 0 ? 1U : 0U,
                       .misses = row % 7 == 0 ? 1U : 0U,
                       .local_hits = 0,
                       .bytes = 100 * row});
    }
    driver.observe(batch);
    driver.run(10ms);
  }
}

std::string scripted_stream() {
  DetectorOptions options = make_options(rules());
  options.hot_keys_max = 12;
  DetectorDriver driver(options);
  Zipf zipf(500, 1.0, 17);
  send(driver, zipf, 15);
  EXPECT_TRUE(driver.pin("user:999") && driver.deny("product:0") && driver.pin("stock:1", 2s));
  send(driver, zipf, 25);
  driver.allow("product:0");
  send(driver, zipf, 5);
  driver.disable(700ms);
  send(driver, zipf, 10);
  driver.set_rules({make_rule("all", "*", 80)});
  send(driver, zipf, 10);
  driver.jump(3s);
  driver.tick();
  driver.run(15s);
  std::string text;
  for (const Decision& decision : driver.decisions()) text += line(decision);
  return text;
}

TEST(GoldenStream, IsDecidedAsCommitted) {
  std::ifstream file(HOTKEYD_SOURCE_DIR "/tests/detector/data/decisions.txt");
  std::stringstream committed;
  committed << file.rdbuf();
  const std::string decided = scripted_stream();
  const std::string actual = testing::TempDir() + "decisions.txt";
  std::ofstream(actual) << decided;
  EXPECT_EQ(decided, committed.str()) << "the text decided now is in " << actual;
}

TEST(GoldenStream, IsDecidedTheSameTwice) { EXPECT_EQ(scripted_stream(), scripted_stream()); }

}  // namespace
}  // namespace hotkeyd
