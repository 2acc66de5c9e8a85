#include "sdk/cpp/src/session.h"

#include <gtest/gtest.h>

#include <vector>

#include "resp/request_parser.h"
#include "resp/writer.h"

namespace hotkeyd::sdk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Words = std::vector<std::string>;
using Commands = std::vector<Words>;

constexpr Time kStart{};

class SessionTest : public testing::Test, protected SessionListener {
 protected:
  Session make(SessionOptions options = {.ns = "shop", .app = "cart", .producer = "cart/1", .epoch = 9}) {
    return Session(std::move(options), outbox, stream, invalidations, *this);
  }
  // The commands said since the last call.
  Commands said(Session& session) {
    session.pump(now);
    Commands commands;
    std::string_view rest = session.output();
    while (!rest.empty()) {
      RequestParser parser;
      const auto outcome = parser.parse(rest);
      EXPECT_EQ(outcome.status, RequestParser::Status::request);
      if (outcome.status != RequestParser::Status::request) break;
      commands.emplace_back(parser.arguments().begin(), parser.arguments().end());
      rest.remove_prefix(outcome.consumed);
    }
    session.output().clear();
    return commands;
  }
  void ready(Session& session) {
    session.open(now);
    EXPECT_TRUE(
        receive(session,
                "%1\r\n+server\r\n+hotkeyd\r\n>3\r\n$9\r\nsubscribe\r\n$18\r\nhotkey:events:shop\r\n:1\r\n"
                "$26\r\n{\"smallest_threshold\":500}\r\n"));
    said(session);
  }
  bool receive(Session& session, std::string_view bytes) { return session.receive(bytes, now).has_value(); }
  std::string event(const std::string& json) {
    std::string out;
    RespWriter writer(out, RespVersion::resp3);
    writer.push(3);
    writer.bulk("message");
    writer.bulk("hotkey:events:shop");
    writer.bulk(json);
    return out;
  }
  void batch(std::uint64_t reads, std::string_view key = "k") {
    outbox.add({.key = key, .reads = reads, .writes = 2, .misses = 1, .bytes = 30}, now);
    outbox.seal(0);
  }

  void on_event(const Event& event, const HotStream::Outcome&) override { events.push_back(event.id); }
  std::optional<NearCacheFigures> near_figures(Time) override { return near; }
  void on_smallest_threshold(std::uint64_t accesses) override { threshold = accesses; }
  void on_trouble(const std::string& sentence) override { troubles.push_back(sentence); }

  Outbox outbox;
  HotStream stream{[](std::string_view key) { return std::hash<std::string_view>{}(key); }};
  Invalidations invalidations;
  std::optional<NearCacheFigures> near;
  std::vector<std::string> events;
  std::vector<std::string> troubles;
  std::uint64_t threshold = 0;
  Time now = kStart;
};

TEST_F(SessionTest, SaysHelloFirstAndTheRestOnceItIsAnswered) {
  Session session = make();
  batch(10);
  session.open(now);
  EXPECT_EQ(said(session), (Commands{{"HELLO", "3", "SETNAME", "cart"}}));
  EXPECT_FALSE(session.is_ready());

  now += milliseconds(40);
  EXPECT_TRUE(receive(session, "%1\r\n+proto\r\n:3\r\n"));
  EXPECT_TRUE(session.is_ready());
  EXPECT_EQ(said(session), (Commands{{"SUBSCRIBE", "hotkey:events:shop"},
                                     {"HOTKEY", "RULES", "shop"},
                                     {"HOTKEY", "REPORT", "shop", "cart/1", "9", "1", "1", "k", "10", "2",
                                      "1", "0", "30", "AGE", "40", "TOTALS", "12", "0"}}));
}

TEST_F(SessionTest, AuthenticatesInHello) {
  Session session = make({.ns = "shop", .app = "cart", .password = "p w", .has_password = true});
  session.open(now);
  EXPECT_EQ(said(session), (Commands{{"HELLO", "3", "AUTH", "default", "p w", "SETNAME", "cart"}}));

  const auto refused = session.receive("-WRONGPASS no\r\n", now);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), "HELLO was refused: WRONGPASS no");
}

TEST_F(SessionTest, LearnsTheSmallestThresholdAndAsksAgainWhenRulesChanged) {
  Session session = make();
  ready(session);
  EXPECT_EQ(threshold, 500U);

  EXPECT_TRUE(receive(session, event(encode_rules_changed({"web-17", 100, "shop"}, 1, 0))));
  EXPECT_EQ(said(session), (Commands{{"HOTKEY", "RULES", "shop"}}));
  EXPECT_TRUE(receive(session, "$25\r\n{\"smallest_threshold\":70}\r\n"));
  EXPECT_EQ(threshold, 70U);
}

TEST_F(SessionTest, TakesAnyNumberAsAcknowledgement) {
  Session session = make();
  ready(session);
  batch(10);
  batch(20);
  said(session);
  EXPECT_TRUE(receive(session, ":1\r\n:0\r\n"));
  EXPECT_EQ(outbox.acknowledged(), 34U);
  EXPECT_TRUE(outbox.empty());
}

TEST_F(SessionTest, SendsTheNumberOfARefusedBatchAgainEmpty) {
  Session session = make();
  ready(session);
  batch(10);
  said(session);
  EXPECT_TRUE(receive(session, "-ERR namespace limit (16) reached\r\n"));

  EXPECT_EQ(
      said(session),
      (Commands{{"HOTKEY", "REPORT", "shop", "cart/1", "9", "1", "0", "AGE", "0", "TOTALS", "12", "12"}}));
  EXPECT_EQ(outbox.dropped(), 12U);
  EXPECT_EQ(troubles, Words{"the daemon refused: ERR namespace limit (16) reached"});
}

TEST_F(SessionTest, SendsUnacknowledgedBatchesAgainOnTheNextConnection) {
  Session session = make();
  ready(session);
  batch(10);
  batch(20);
  said(session);
  EXPECT_TRUE(receive(session, ":1\r\n"));
  session.close();
  ready(session);
  EXPECT_EQ(outbox.acknowledged(), 12U);

  session.close();
  session.open(now);
  said(session);
  EXPECT_TRUE(receive(session, "+OK\r\n"));
  const Commands commands = said(session);
  ASSERT_EQ(commands.size(), 3U);
  EXPECT_EQ(commands[2], (Words{"HOTKEY", "REPORT", "shop", "cart/1", "9", "2", "1", "k", "20", "2", "1", "0",
                                "30", "AGE", "0", "TOTALS", "34", "0"}));
}

TEST_F(SessionTest, CarriesHostileKeysUnchanged) {
  Session session = make();
  ready(session);
  const std::string key("\0\r\n*1\xff\"<b>", 10);
  batch(1, key);
  invalidations.push(key);
  const Commands commands = said(session);
  ASSERT_EQ(commands.size(), 2U);
  EXPECT_EQ(commands[0][7], key);
  EXPECT_EQ(commands[1], (Words{"HOTKEY", "INVALIDATE", "shop", key}));
}

TEST_F(SessionTest, TellsOneCommandOfInvalidationsAtATime) {
  Session session = make();
  ready(session);
  invalidations.push("a");
  EXPECT_EQ(said(session), (Commands{{"HOTKEY", "INVALIDATE", "shop", "a"}}));
  invalidations.push("b");
  EXPECT_EQ(said(session), Commands{});
  EXPECT_TRUE(receive(session, ":3\r\n"));
  EXPECT_EQ(said(session), (Commands{{"HOTKEY", "INVALIDATE", "shop", "b"}}));
}

TEST_F(SessionTest, HealsAGapByASnapshotAndAsksOnceWhileItWaits) {
  Session session = make();
  ready(session);
  const Stream from{"web-17", 100, "shop"};
  EXPECT_TRUE(receive(session, event(encode_snapshot_part(from, 4, 0, 10'000, 1, 1, {}))));
  EXPECT_TRUE(receive(session, event(encode_invalidated(from, "a", 6, 0))));
  EXPECT_EQ(said(session), (Commands{{"HOTKEY", "SNAPSHOT", "shop"}}));
  EXPECT_TRUE(receive(session, event(encode_invalidated(from, "a", 9, 0))));
  EXPECT_EQ(said(session), Commands{});

  std::string reply;
  RespWriter(reply, RespVersion::resp3).bulk(encode_snapshot_part(from, 9, 0, 10'000, 1, 1, {}));
  EXPECT_TRUE(receive(session, reply));
  EXPECT_FALSE(stream.has_gap());
  EXPECT_EQ(events.size(), 4U);
}

TEST_F(SessionTest, ReportsOnWhenTheSubscriptionIsRefused) {
  Session session = make();
  session.open(now);
  EXPECT_TRUE(receive(session, "+OK\r\n-NOPERM no\r\n-NOPERM no\r\n"));
  batch(10);
  said(session);
  EXPECT_TRUE(receive(session, ":1\r\n"));
  EXPECT_EQ(outbox.acknowledged(), 12U);
  EXPECT_EQ(troubles.size(), 2U);
}

TEST_F(SessionTest, PassesOverEventsItCannotReadAndOthersChannels) {
  Session session = make();
  ready(session);
  EXPECT_TRUE(receive(session, event("{nonsense")));
  EXPECT_TRUE(receive(session, event(encode_heartbeat({"web-17", 100, "other"}, 1, 0, 10'000, 0))));
  EXPECT_TRUE(receive(session, ">3\r\n+message\r\n+elsewhere\r\n+x\r\n>1\r\n+message\r\n"));
  EXPECT_EQ(events, Words());
  EXPECT_EQ(troubles.size(), 1U);
}

TEST_F(SessionTest, GivesUpOnAnAnswerToNothingAndOnBrokenBytes) {
  Session session = make();
  ready(session);
  EXPECT_FALSE(receive(session, ":1\r\n"));
  ready(session);
  EXPECT_FALSE(receive(session, "HTTP/1.1 400 Bad Request\r\n"));
  ready(session);
  batch(1);
  said(session);
  EXPECT_FALSE(receive(session, "+OK\r\n"));
}

TEST_F(SessionTest, AsksASilentDaemonAndGivesUpAfterFiveSeconds) {
  Session session = make();
  ready(session);
  EXPECT_EQ(session.silence_deadline(), kStart + seconds(2));
  now += seconds(2);
  EXPECT_TRUE(session.check_silence(now));
  EXPECT_TRUE(session.check_silence(now));
  EXPECT_EQ(said(session), (Commands{{"PING"}}));
  EXPECT_EQ(session.silence_deadline(), kStart + seconds(5));

  EXPECT_TRUE(receive(session, "+PONG\r\n"));
  now += seconds(5) - milliseconds(1);
  EXPECT_TRUE(session.check_silence(now));
  now += milliseconds(1);
  EXPECT_FALSE(session.check_silence(now));
}

TEST_F(SessionTest, GivesUpAConnectionThatOnlyBringsEvents) {
  Session session = make();
  ready(session);
  now += seconds(30);
  EXPECT_TRUE(receive(session, event("{}")));
  EXPECT_TRUE(session.check_silence(now));  // Nothing was asked.
  batch(10);
  said(session);
  const Time asked_at = now;
  for (int second = 1; second < 10; ++second) {
    now += seconds(1);
    EXPECT_TRUE(receive(session, event("{}")));
    EXPECT_TRUE(session.check_silence(now));
  }
  EXPECT_EQ(session.silence_deadline(), asked_at + seconds(10));
  now += seconds(1);
  EXPECT_TRUE(receive(session, event("{}")));
  EXPECT_FALSE(session.check_silence(now));
}

}  // namespace
}  // namespace hotkeyd::sdk
