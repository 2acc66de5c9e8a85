#include "daemon/publishers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/fake_publisher.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using Log = std::vector<std::string>;

PublisherOptions sink(std::string name, std::size_t queue = 20'000) {
  PublisherOptions options;
  options.name = std::move(name);
  options.queue_events_max = queue;
  return options;
}

// Publishers on a loop that the test drives; each is named by its place in time: "a1", "b2", ...
class PublishersTest : public testing::Test {
 protected:
  void change(const std::vector<PublisherOptions>& wanted, Duration lease = 10s) {
    auto change = publishers.prepare(wanted, lease);
    routes.change(change.routes, {"shop"});
    publishers.commit(std::move(change), 1s);
    run();
  }
  std::unique_ptr<Publisher> make(std::uint64_t id, const PublisherOptions& options) {
    auto made = std::make_unique<FakePublisher>(options.name + std::to_string(id), log);
    made->counted.sink = options.name;
    fakes[options.name + std::to_string(id)] = made.get();
    return made;
  }
  void end(const std::string& name, bool drained = true) {
    fakes.at(name)->end(drained);
    run();
  }
  void run() {
    control.restart();
    control.poll();
  }
  Log said() { return std::exchange(log, {}); }
  std::vector<std::string> figures() const {
    std::vector<std::string> out;
    for (const PublisherStats& stats : publishers.stats())
      out.push_back(stats.sink + " " + std::to_string(stats.events));
    return out;
  }

  Log log;
  std::map<std::string, FakePublisher*> fakes;
  asio::io_context control;
  Publishers publishers{control, [this](std::uint64_t id, const PublisherOptions& options, Duration) {
                          return make(id, options);
                        }};
  PublisherRoutes routes;
};

TEST_F(PublishersTest, TouchesNothingThatStays) {
  change({sink("a"), sink("b")});
  EXPECT_THAT(said(), ElementsAre("a1 opens shop", "b2 opens shop", "a1 starts", "b2 starts"));
  change({sink("b"), sink("a")});
  EXPECT_THAT(said(), IsEmpty());
  EXPECT_THAT(figures(), ElementsAre("b 0", "a 0"));
}

TEST_F(PublishersTest, StartsWhatIsNewAndLetsWhatIsGoneDrain) {
  change({sink("a")});
  said();
  change({sink("b")});
  EXPECT_THAT(said(), ElementsAre("b2 opens shop", "a1 stops", "b2 starts"));
  EXPECT_THAT(figures(), ElementsAre("b 0", "a 0"));
  end("a1");
  EXPECT_THAT(said(), ElementsAre("a1 gone"));
  EXPECT_THAT(figures(), ElementsAre("b 0"));
}

TEST_F(PublishersTest, StartsASuccessorWhenItsPredecessorHasDrained) {
  change({sink("a", 100)});
  said();
  change({sink("a", 200)});
  EXPECT_THAT(said(), ElementsAre("a2 opens shop", "a1 stops"));
  routes.told({"shop", EventType::promoted, 7, "k", nullptr, {}, 1});
  EXPECT_THAT(said(), ElementsAre("a2 shop event 7"));
  end("a1", false);
  EXPECT_THAT(said(), ElementsAre("a1 gone", "a2 starts"));
}

TEST_F(PublishersTest, ReplacesAllWhenTheLeaseChanges) {
  change({sink("a")}, 10s);
  said();
  change({sink("a")}, 6s);
  EXPECT_THAT(said(), ElementsAre("a2 opens shop", "a1 stops"));
}

TEST_F(PublishersTest, CountsOnAcrossAReplacement) {
  change({sink("a", 100)});
  fakes["a1"]->counted.events = 5;
  change({sink("a", 200)});
  fakes["a2"]->counted.events = 2;
  EXPECT_THAT(figures(), ElementsAre("a 7"));
  end("a1");
  EXPECT_THAT(figures(), ElementsAre("a 7"));
  change({});
  EXPECT_THAT(figures(), ElementsAre("a 7"));
  end("a2");
  EXPECT_THAT(figures(), IsEmpty());
  change({sink("a")});
  EXPECT_THAT(figures(), ElementsAre("a 0"));
}

TEST_F(PublishersTest, SendsWhatASuccessorHasCollectedWhenItIsReplacedItself) {
  change({sink("a", 100)});
  change({sink("a", 200)});
  said();
  change({sink("a", 300)});
  EXPECT_THAT(said(), ElementsAre("a3 opens shop", "a2 starts", "a2 stops"));
  end("a1");
  EXPECT_THAT(said(), ElementsAre("a1 gone"));
  end("a2");
  EXPECT_THAT(said(), ElementsAre("a2 gone", "a3 starts"));
}

TEST_F(PublishersTest, StopsWhenAllHaveDrained) {
  change({sink("a", 100), sink("b")});
  change({sink("a", 200), sink("b")});
  said();
  std::vector<bool> stopped;
  publishers.stop(1s, [&](bool drained) { stopped.push_back(drained); });
  EXPECT_THAT(said(), ElementsAre("a3 starts", "a3 stops", "b2 stops"));
  for (const char* name : {"a3", "b2"}) end(name);
  EXPECT_THAT(stopped, IsEmpty());
  end("a1", false);
  EXPECT_THAT(stopped, ElementsAre(false));
}

TEST_F(PublishersTest, ForgetsAFailureOfAnEarlierReload) {
  change({sink("a", 100)});
  change({sink("a", 200)});
  end("a1", false);
  std::vector<bool> stopped;
  publishers.stop(1s, [&](bool drained) { stopped.push_back(drained); });
  end("a2");
  EXPECT_THAT(stopped, ElementsAre(true));
}

TEST_F(PublishersTest, StopsAtOnceWithoutPublishers) {
  bool drained = false;
  publishers.stop(1s, [&](bool all) { drained = all; });
  EXPECT_TRUE(drained);
}

TEST_F(PublishersTest, SendsEventsBehindTheirSnapshotToThoseThatKeepTheHistory) {
  change({sink("a"), sink("b")});
  fakes["b2"]->keeps_history = true;
  routes.send_snapshot(1, {"shop", 5, 0, {}, {}});
  routes.send_snapshot(2, {"shop", 5, 0, {}, {}});
  said();
  routes.told({"shop", EventType::promoted, 5, "k", nullptr, {}, 1});
  EXPECT_THAT(said(), ElementsAre("b2 shop event 5"));
}

TEST_F(PublishersTest, LeavesOutWhatASnapshotHolds) {
  change({sink("a"), sink("b")});
  said();
  routes.send_snapshot(1, {"shop", 5, 0, {}, {}});
  routes.told({"shop", EventType::promoted, 5, "k", nullptr, {}, 1});
  routes.told({"shop", EventType::invalidated, 4, "k", nullptr, {}, 1});
  routes.told({"shop", EventType::promoted, 6, "k", nullptr, {}, 1});
  EXPECT_THAT(said(), ElementsAre("a1 shop snapshot 5", "b2 shop event 5", "a1 shop event 4",
                                  "b2 shop event 4", "a1 shop event 6", "b2 shop event 6"));
  routes.send_snapshot(1, {"search", 9, 0, {}, {}});
  routes.told({"shop", EventType::promoted, 7, "k", nullptr, {}, 1});
  routes.told({"search", EventType::promoted, 9, "k", nullptr, {}, 1});
  EXPECT_THAT(said(),
              ElementsAre("a1 search snapshot 9", "a1 shop event 7", "b2 shop event 7", "b2 search event 9"));
}

// A reload keeps what a publisher has already, and a late request of one that is gone goes nowhere.
TEST_F(PublishersTest, KeepsTheSnapshotsOfARouteThatStays) {
  change({sink("a"), sink("b")});
  routes.send_snapshot(1, {"shop", 5, 0, {}, {}});
  change({sink("a")});
  said();
  routes.told({"shop", EventType::promoted, 5, "k", nullptr, {}, 1});
  routes.send_snapshot(2, {"shop", 5, 0, {}, {}});
  EXPECT_THAT(said(), IsEmpty());
}

}  // namespace
}  // namespace hotkeyd
