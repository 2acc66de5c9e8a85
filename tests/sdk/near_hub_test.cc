#include "sdk/cpp/src/near_hub.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>

#include "sdk/cpp/src/near_feed.h"

namespace hotkeyd::sdk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Kind = NearShard::Kind;

const Time kStart{std::chrono::hours(1)};
constexpr EventNearCache kMinute{60'000, 1 << 20};

std::unique_ptr<NearStore> make_store(std::shared_ptr<RecorderPool> readers = nullptr) {
  return std::make_unique<NearStore>(
      NearStoreOptions{
          .bytes_max = std::size_t{64} << 20, .load_timeout = seconds(3), .max_staleness = {}, .seed = 1},
      std::move(readers));
}

std::uint64_t hash(std::string_view key) { return std::hash<std::string_view>{}(key); }

bool holds(NearStore& store, const std::string& key) {
  NearGuard guard{nullptr};
  struct {
    Time coarse() const { return kStart; }
    Time exact() const { return kStart; }
  } const clock;
  return store.find(key, hash(key), guard, clock) != nullptr;
}

// Whether the store keeps what it loads.
bool keeps(NearStore& store, const std::string& key) {
  const NearShard::Step step = store.begin(key, hash(key), 1, kStart);
  if (step.kind == Kind::lead) store.finish(step.flight, std::make_shared<NearValue>(), kStart);
  return holds(store, key);
}

struct NearHubTest : testing::Test {
  NearHub hub;
  NearHub::Home first{nullptr};
  NearHub::Home second{nullptr};
};

TEST_F(NearHubTest, TellsEveryCacheAndThoseMadeLater) {
  NearStore& early = *hub.open(first, make_store());
  hub.allow(hash("a"), kMinute);
  NearStore& late = *hub.open(second, make_store());
  EXPECT_TRUE(keeps(early, "a"));
  EXPECT_TRUE(keeps(late, "a"));
  EXPECT_FALSE(keeps(late, "b"));

  hub.invalidate(hash("a"));
  EXPECT_FALSE(holds(early, "a"));
  EXPECT_FALSE(holds(late, "a"));

  hub.allow_only({{hash("b"), kMinute}});
  EXPECT_FALSE(keeps(early, "a"));
  EXPECT_TRUE(keeps(early, "b"));
  hub.interrupt();
  EXPECT_FALSE(holds(early, "b"));
  hub.close(first);
  hub.close(second);
}

TEST_F(NearHubTest, SumsItsCachesAndRemembersThoseThatAreGone) {
  EXPECT_EQ(hub.figures(kStart), std::nullopt);
  hub.allow(hash("a"), kMinute);
  for (NearHub::Home* home : {&first, &second}) {
    keeps(*hub.open(*home, make_store()), "a");
    keeps(*home->load(), "a");
  }
  const auto figures = hub.figures(kStart + milliseconds(700));
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->hits, 2U);
  EXPECT_EQ(figures->loads, 2U);
  EXPECT_EQ(figures->entries, 2U);
  EXPECT_GT(figures->bytes, 200U);
  EXPECT_EQ(figures->oldest_ms, 700U);

  hub.close(first);
  hub.close(second);
  const auto later = hub.figures(kStart + seconds(2));
  EXPECT_EQ(later->hits, 2U);
  EXPECT_EQ(later->loads, 2U);
  EXPECT_EQ(later->entries, 0U);
}

TEST_F(NearHubTest, TellsTheOldestCopyOfAllItsCaches) {
  hub.allow(hash("a"), kMinute);
  keeps(*hub.open(first, make_store()), "a");
  hub.open(second, make_store());
  EXPECT_EQ(hub.figures(kStart + milliseconds(700))->oldest_ms, 700U);
  hub.close(first);
  hub.close(second);
}

TEST_F(NearHubTest, LetsTheCachesBeyondItsLimitKeepNothing) {
  hub.allow(hash("a"), kMinute);
  std::deque<NearHub::Home> homes(NearHub::kCachesMax + 1);
  for (NearHub::Home& home : homes) hub.open(home, make_store());
  EXPECT_TRUE(hub.is_full());
  EXPECT_TRUE(keeps(*homes.front().load(), "a"));
  EXPECT_FALSE(keeps(*homes.back().load(), "a"));
  hub.allow_only({{hash("a"), kMinute}});
  EXPECT_FALSE(keeps(*homes.back().load(), "a"));
  for (NearHub::Home& home : homes) hub.close(home);
}

TEST_F(NearHubTest, GivesANewCacheOfAnOldNumberItsOwnHits) {
  const auto pool = std::make_shared<RecorderPool>();
  Recorder* recorder = pool->acquire();
  recorder->count_near_hit(hub.open(first, make_store(pool))->number());
  EXPECT_EQ(first.load()->stats(kStart).hits, 1U);
  hub.close(first);
  EXPECT_EQ(hub.open(second, make_store(pool))->stats(kStart).hits, 0U);
  EXPECT_EQ(hub.figures(kStart)->hits, 1U);
  hub.close(second);
}

TEST_F(NearHubTest, StartsEmptyInAForkedChild) {
  hub.allow(hash("a"), kMinute);
  keeps(*hub.open(first, make_store()), "a");
  hub.forget_in_child();
  EXPECT_EQ(first.load(), nullptr);
  EXPECT_EQ(hub.figures(kStart), std::nullopt);
  EXPECT_FALSE(keeps(*hub.open(first, make_store()), "a"));
  hub.close(first);
}

// The stream of one daemon into a hub.
struct NearFeedTest : NearHubTest {
  void apply(Event event) {
    event.stream = {"web-17", 100, "shop"};
    event.lease_ms = 10'000;
    feed_near(hub, stream, event, stream.apply(event, kStart));
  }
  static Event key_event(EventType type, std::uint64_t seq, const std::string& key,
                         std::optional<EventNearCache> near_cache = kMinute) {
    Event event;
    event.type = type;
    event.seq = seq;
    event.key = key;
    if (type == EventType::invalidated) return event;
    event.data.emplace();
    event.data->key = key;
    event.data->seq = seq;
    event.data->actions.near_cache = near_cache;
    return event;
  }
  static Event snapshot(std::uint64_t seq, const std::vector<std::string>& keys) {
    Event event;
    event.type = EventType::snapshot;
    event.seq = seq;
    for (const std::string& key : keys) event.keys.push_back(*key_event(EventType::promoted, seq, key).data);
    return event;
  }

  NearFeedTest() { store = hub.open(first, make_store()); }
  ~NearFeedTest() override { hub.close(first); }

  HotStream stream{hash};
  NearStore* store = nullptr;
};

TEST_F(NearFeedTest, KeepsWhatIsAllowedAndOnlyWhileItIs) {
  apply(snapshot(4, {"a", "b"}));
  EXPECT_TRUE(keeps(*store, "a"));
  EXPECT_TRUE(keeps(*store, "b"));
  apply(key_event(EventType::promoted, 5, "a"));
  apply(snapshot(5, {"a", "b"}));
  EXPECT_TRUE(holds(*store, "a"));
  apply(key_event(EventType::demoted, 6, "a", std::nullopt));
  apply(key_event(EventType::updated, 7, "b", std::nullopt));
  EXPECT_FALSE(keeps(*store, "a"));
  EXPECT_FALSE(keeps(*store, "b"));
}

TEST_F(NearFeedTest, HeedsInvalidationsOfEveryNodeAndAge) {
  apply(snapshot(4, {"a"}));
  keeps(*store, "a");
  apply(key_event(EventType::invalidated, 3, "a"));
  EXPECT_FALSE(holds(*store, "a"));
  keeps(*store, "a");
  Event relayed = key_event(EventType::invalidated, 900, "a");
  relayed.stream = {"web-18", 7, "shop"};
  feed_near(hub, stream, relayed, stream.apply(relayed, kStart));
  EXPECT_FALSE(holds(*store, "a"));
}

TEST_F(NearFeedTest, LoadsAgainAfterEveryLossAlsoWhileAGapIsOpen) {
  apply(snapshot(4, {"a"}));
  for (const std::uint64_t seq : {6U, 8U, 10U}) {
    EXPECT_TRUE(keeps(*store, "a"));
    apply(key_event(EventType::promoted, seq, "b"));
    EXPECT_FALSE(holds(*store, "a")) << seq;
  }
  EXPECT_TRUE(keeps(*store, "a"));
  apply(key_event(EventType::promoted, 11, "b"));
  EXPECT_TRUE(holds(*store, "a"));
  Event heartbeat;
  heartbeat.type = EventType::heartbeat;
  heartbeat.seq = 12;
  apply(heartbeat);
  EXPECT_FALSE(holds(*store, "a"));
}

TEST_F(NearFeedTest, LoadsAgainAfterAReconnect) {
  apply(snapshot(4, {"a"}));
  EXPECT_TRUE(keeps(*store, "a"));
  stream.expect_snapshot();
  apply(snapshot(4, {"a"}));
  EXPECT_FALSE(holds(*store, "a"));
}

}  // namespace
}  // namespace hotkeyd::sdk
