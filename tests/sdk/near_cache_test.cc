#include "hotkey/near_cache.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <thread>

#include "base/clock.h"
#include "fake_daemon.h"
#include "near_events.h"

namespace hotkeyd::sdk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Text = std::optional<std::string>;

constexpr seconds kPatience{20};
// A client of a fake daemon that says which keys are hot, and a source that counts its loads.
class NearCacheTest : public testing::Test {
 protected:
  void start(const std::vector<std::string>& hot, hotkey::NearOptions<std::string> options = {}) {
    daemon_.set_snapshot(snapshot(4, hot));
    client_.emplace(hotkey::Options{
        .endpoint = daemon_.url(), .app = "cart", .ns = "shop", .flush_interval = milliseconds(20)});
    cache_.emplace(*client_, std::move(options));
    for (const std::string& key : hot) wait_until([&] { return client_->is_hot(key); });
  }
  Text get(const std::string& key) {
    return cache_->get(key, [this](std::string_view asked) { return load(asked); });
  }
  Text load(std::string_view key) {
    ++loads_;
    const auto found = source_.find(std::string(key));
    return found == source_.end() ? std::nullopt : Text(found->second);
  }
  template <typename Claim>
  void wait_until(Claim claim) {
    const auto end = Clock::now() + kPatience;
    while (!claim()) {
      ASSERT_LT(Clock::now(), end);
      std::this_thread::yield();
    }
  }

  FakeDaemon daemon_;
  std::map<std::string, std::string> source_{{"a", "1"}, {"b", "2"}};
  int loads_ = 0;
  std::optional<hotkey::Client> client_;
  std::optional<hotkey::NearCache<std::string>> cache_;
};

TEST_F(NearCacheTest, KeepsTheValueOfAHotKey) {
  start({"a"});
  EXPECT_EQ(get("a"), "1");
  EXPECT_EQ(get("a"), "1");
  EXPECT_EQ(get("b"), "2");
  EXPECT_EQ(get("b"), "2");
  EXPECT_EQ(loads_, 3);
  const hotkey::NearStats stats = cache_->stats();
  EXPECT_EQ(stats.hits, 1U);
  EXPECT_EQ(stats.loads, 3U);
  EXPECT_EQ(stats.entries, 1U);
}

TEST_F(NearCacheTest, KeepsThatThereIsNone) {
  start({"none"});
  EXPECT_EQ(get("none"), std::nullopt);
  EXPECT_EQ(get("none"), std::nullopt);
  EXPECT_EQ(loads_, 1);
}

TEST_F(NearCacheTest, DropsWhatThisProcessInvalidates) {
  start({"a"});
  EXPECT_EQ(get("a"), "1");
  source_["a"] = "new";
  EXPECT_TRUE(client_->invalidate("a"));
  EXPECT_EQ(get("a"), "new");
  EXPECT_EQ(cache_->stats().invalidations, 1U);
}

TEST_F(NearCacheTest, DropsWhatAnEventInvalidates) {
  start({"a"});
  EXPECT_EQ(get("a"), "1");
  source_["a"] = "new";
  daemon_.push(encode_invalidated(kFrom, "a", 5, 0));
  wait_until([&] { return get("a") == "new"; });
  EXPECT_EQ(loads_, 2);
}

TEST_F(NearCacheTest, KeepsAValueThroughPromotionsUpdatesAndSnapshots) {
  start({"a"});
  EXPECT_EQ(get("a"), "1");
  daemon_.push(key_event(EventType::updated, 5, "a"));
  daemon_.push(key_event(EventType::promoted, 6, "a"));
  daemon_.push(snapshot(6, {"a", "b"}));
  wait_until([&] { return client_->is_hot("b"); });
  EXPECT_EQ(get("a"), "1");
  EXPECT_EQ(loads_, 1);
}

TEST_F(NearCacheTest, StopsServingWhatIsNoLongerHotOrAllowed) {
  start({"a", "b"});
  get("a");
  get("b");
  daemon_.push(key_event(EventType::demoted, 5, "a", std::nullopt));
  daemon_.push(key_event(EventType::updated, 6, "b", std::nullopt));
  daemon_.push(key_event(EventType::promoted, 7, "c"));
  wait_until([&] { return client_->is_hot("c"); });
  get("a");
  get("b");
  EXPECT_EQ(loads_, 4);
  EXPECT_EQ(cache_->stats().entries, 0U);
  EXPECT_EQ(cache_->stats().withdrawn, 2U);
}

TEST_F(NearCacheTest, LoadsAgainAfterAGap) {
  start({"a"});
  EXPECT_EQ(get("a"), "1");
  daemon_.set_snapshot(snapshot(9, {"a", "d"}));
  daemon_.push(key_event(EventType::promoted, 9, "d"));
  wait_until([&] { return client_->is_hot("d"); });
  source_["a"] = "changed unnoticed";
  EXPECT_EQ(get("a"), "changed unnoticed");
}

TEST_F(NearCacheTest, LoadsAgainAfterALostConnection) {
  start({"a"});
  EXPECT_EQ(get("a"), "1");
  daemon_.stop();
  wait_until([&] { return client_->status().state == hotkey::Status::State::connecting; });
  source_["a"] = "changed unnoticed";
  EXPECT_EQ(get("a"), "changed unnoticed");
  source_["a"] = "changed again";
  daemon_.start();
  wait_until([&] { return get("a") == "changed again"; });
}

TEST_F(NearCacheTest, RecordsEveryReadOnce) {
  start({"a", "none"});
  for (int i = 0; i < 10; ++i) {
    get("a");
    get("none");
    get("b");
  }
  ASSERT_TRUE(client_->flush(kPatience));
  EXPECT_EQ(daemon_.told().rows,
            (std::map<std::string, Row>{{"a", {10, 0, 9}}, {"b", {10, 0, 0}}, {"none", {10, 10, 9}}}));
}

TEST_F(NearCacheTest, TellsTheDaemonItsFigures) {
  start({"a"});
  for (int i = 0; i < 10; ++i) get("a");
  get("b");
  ASSERT_TRUE(client_->flush(kPatience));
  const NearCacheFigures near = daemon_.told().near;
  EXPECT_EQ(near.hits, 9U);
  EXPECT_EQ(near.loads, 2U);
  EXPECT_EQ(near.entries, 1U);
  EXPECT_GT(near.bytes, 1U);
}

TEST_F(NearCacheTest, PassesOnWhatALoaderThrows) {
  start({"a"});
  const auto fails = []() -> Text { throw std::runtime_error("no such host"); };
  EXPECT_THROW(cache_->get("a", fails), std::runtime_error);
  EXPECT_EQ(get("a"), "1");
  EXPECT_EQ(cache_->stats().failures, 1U);
}

TEST_F(NearCacheTest, TakesWhatSizeOfThrowsAsIfTheLoaderHadThrownIt) {
  bool is_broken = true;
  start({"a"}, {.size_of = [&](const std::string& value) {
          return is_broken ? throw std::runtime_error("cannot measure") : value.size();
        }});
  EXPECT_THROW(get("a"), std::runtime_error);
  EXPECT_EQ(cache_->stats().failures, 1U);
  EXPECT_EQ(cache_->stats().entries, 0U);
  is_broken = false;
  EXPECT_EQ(get("a"), "1");
  EXPECT_EQ(get("a"), "1");
  EXPECT_EQ(loads_, 2);
  EXPECT_EQ(cache_->stats().failures, 1U);
}

TEST_F(NearCacheTest, LetsALoaderAskForOtherKeysAndForItsOwn) {
  start({"a"});
  const Text both = cache_->get("a", [this] { return *get("a") + *get("b"); });
  EXPECT_EQ(both, "12");
  EXPECT_EQ(get("a"), "12");
}

TEST_F(NearCacheTest, CountsStaleCopiesAndServesThemUnchanged) {
  start({"a"}, {.verify = 1});
  EXPECT_EQ(get("a"), "1");
  EXPECT_EQ(get("a"), "1");
  source_["a"] = "changed and told to nobody";
  EXPECT_EQ(get("a"), "1");
  const auto fails = []() -> Text { throw std::runtime_error("no such host"); };
  EXPECT_EQ(cache_->get("a", fails), "1");
  const hotkey::NearStats stats = cache_->stats();
  EXPECT_EQ(stats.verified, 2U);
  EXPECT_EQ(stats.stale, 1U);
  EXPECT_EQ(stats.verify_failures, 1U);
  EXPECT_EQ(stats.loads, 1U);
}

TEST_F(NearCacheTest, TakesTheClientsMaxStalenessAsBound) {
  daemon_.set_snapshot(snapshot(4, {"a"}));
  client_.emplace(hotkey::Options{
      .endpoint = daemon_.url(), .app = "cart", .ns = "shop", .max_staleness = milliseconds(1)});
  cache_.emplace(*client_);
  wait_until([&] { return client_->is_hot("a"); });
  get("a");
  const auto start = Clock::now();
  wait_until([&] { return Clock::now() > start + milliseconds(2); });
  get("a");
  EXPECT_EQ(loads_, 2);
}

TEST_F(NearCacheTest, ComplainsAboutOptionsItCannotUse) {
  struct Opaque {};
  std::vector<std::string> complaints;
  hotkey::Client client({.ns = "shop", .disabled = true, .on_error = [&](std::string_view sentence) {
                           complaints.emplace_back(sentence);
                         }});
  complaints.clear();
  const hotkey::NearCache<Opaque> a(client, {.load_timeout = milliseconds(0), .verify = 2});
  const hotkey::NearCache<Opaque> b(client, {.verify = 0.01});
  EXPECT_EQ(complaints,
            (std::vector<std::string>{
                "hotkey: near cache: load_timeout is from 1 ms to 1 h: 3000 ms is used",
                "hotkey: near cache: verify is a share from 0 to 1, such as 0.01: 0 is used",
                "hotkey: near cache: verify needs `equal`, or a type with operator==: 0 is used"}));
}

TEST_F(NearCacheTest, ServesWithoutADaemon) {
  hotkey::Client client({.ns = "shop", .disabled = true});
  hotkey::NearCache<std::string> cache(client);
  EXPECT_EQ(cache.get("a", [] { return Text("1"); }), "1");
  EXPECT_EQ(cache.get("a", [] { return Text("2"); }), "2");
  EXPECT_EQ(cache.stats().loads, 2U);
}

}  // namespace
}  // namespace hotkeyd::sdk
