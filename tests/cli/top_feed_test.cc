#include "cli/top_feed.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "cli/exit_code.h"
#include "tests/cli/canned_server.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kTop = "*1\r\n*5\r\n$1\r\nk\r\n:70\r\n:3\r\n$4\r\nread\r\n$3\r\nhot\r\n";
constexpr std::string_view kInfo = "$20\r\n\nnode:web\r\nepoch:5\r\n\r\n";

Now at(Duration passed) { return {Time{} + 1h + passed, 1}; }

// Steps until what the server sent has come in.
std::optional<TopSample> step_until_sample(TopFeed& feed, Duration passed) {
  for (int tries = 0; tries < 100; ++tries) {
    if (auto sample = feed.step(at(passed))) return sample;
    pollfd daemon{feed.descriptor(), POLLIN, 0};
    poll(&daemon, 1, 100);
  }
  return std::nullopt;
}

TEST(TopFeed, MakesASampleOfBothAnswers) {
  const CannedServer server(std::string(kHello).append(kTop).append(kInfo));
  TopFeed feed(server.endpoint(), "shop");
  const auto sample = step_until_sample(feed, 0s);
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->node, "web");
  EXPECT_EQ(sample->epoch, 5U);
  EXPECT_EQ(sample->keys, (std::vector<RankedKey>{{"k", 70, 3, "read", "hot"}}));
  EXPECT_EQ(feed.wake(), at(1s).steady) << "asks again after a second";
  EXPECT_EQ(feed.trouble(at(0s).steady), "");
}

TEST(TopFeed, WaitsForASilentDaemonWithoutWorkUntilItGivesTheConnectionUp) {
  const CannedServer server{std::string(kHello)};
  TopFeed feed(server.endpoint(), "shop");
  EXPECT_FALSE(feed.step(at(0s)));
  EXPECT_FALSE(feed.step(at(3s)));
  EXPECT_GT(feed.wake(), at(3s).steady) << "nothing is due while an answer is awaited";
  EXPECT_EQ(feed.trouble(at(1s).steady), "");
  EXPECT_EQ(feed.trouble(at(3s).steady), "the daemon does not answer");
  EXPECT_FALSE(feed.step(at(11s)));
  EXPECT_EQ(feed.trouble(at(11s).steady), "lost the daemon: no answer within 10 s; trying again");
  EXPECT_EQ(feed.descriptor(), -1);
  EXPECT_FALSE(feed.ended());
}

TEST(TopFeed, TriesADaemonThatWentAwayAgainForAWhile) {
  auto server = std::make_unique<CannedServer>(std::string(kHello).append(kTop).append(kInfo));
  TopFeed feed(server->endpoint(), "shop");
  ASSERT_TRUE(step_until_sample(feed, 0s));
  server.reset();
  feed.step(at(1s));
  feed.step(at(2s));
  EXPECT_TRUE(feed.trouble(at(2s).steady).ends_with("; trying again")) << feed.trouble(at(2s).steady);
  EXPECT_FALSE(feed.ended());
  EXPECT_LE(feed.wake(), at(5s).steady);
  feed.step(at(40s));
  EXPECT_EQ(feed.ended(), ctl_exit_unreachable);
  EXPECT_TRUE(feed.trouble(at(40s).steady).starts_with("no daemon at ")) << feed.trouble(at(40s).steady);
}

TEST(TopFeed, EndsWhenTheDaemonRefuses) {
  const CannedServer server(std::string(kHello) + "-NOPERM top\x1b\r\n");
  TopFeed feed(server.endpoint(), "shop");
  for (int tries = 0; tries < 100 && !feed.ended(); ++tries) {
    feed.step(at(0s));
    pollfd daemon{feed.descriptor(), POLLIN, 0};
    poll(&daemon, 1, 100);
  }
  EXPECT_EQ(feed.ended(), ctl_exit_refused);
  EXPECT_EQ(feed.trouble(at(0s).steady), "the daemon refused: NOPERM top\\x1b");
}

TEST(TopFeed, EndsAtOnceWhereThereIsNoDaemonAtFirst) {
  TopFeed feed(*parse_endpoint("unix:///nowhere/nobody.sock", "unix"), "shop");
  EXPECT_FALSE(feed.step(at(0s)));
  EXPECT_EQ(feed.ended(), ctl_exit_unreachable);
}

}  // namespace
}  // namespace hotkeyd
