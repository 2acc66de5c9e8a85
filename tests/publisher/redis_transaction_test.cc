#include "publisher/redis_transaction.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "wire/event.h"

namespace hotkeyd {
namespace {

using Commands = std::vector<RedisCommand>;

const PublisherIdentity kIdentity{.node = "web-1", .epoch = 7, .lease = std::chrono::seconds{10}, .seed = 1};
const std::string kHash = "hotkey:{shop}:state:web-1";
const std::string kNodes = "hotkey:{shop}:nodes";
const std::string kEvents = "hotkey:events:shop";

PublishedEvent event(EventType type, std::uint64_t seq, const std::string& key, std::size_t hot_keys) {
  PublishedEvent made;
  made.ns = "shop";
  made.type = type;
  made.seq = seq;
  made.key = key;
  made.bytes = std::make_shared<const std::string>("event" + std::to_string(seq));
  made.key_data =
      type == EventType::promoted || type == EventType::updated ? "data" + std::to_string(seq) : "";
  made.hot_keys = hot_keys;
  return made;
}

std::string meta(std::uint64_t seq, std::int64_t as_of_ms) {
  return "{\"node\":\"web-1\",\"epoch\":7,\"seq\":" + std::to_string(seq) +
         ",\"as_of_ms\":" + std::to_string(as_of_ms) + ",\"lease_ms\":10000}";
}

TEST(RedisTransaction, WritesABatchAsOneChangeOfHashSetAndChannel) {
  const TransactionWriter writer(kIdentity);
  const std::string key("k\0\xff", 3);
  const auto transaction = writer.batch(
      "shop", {event(EventType::promoted, 4, key, 2), event(EventType::demoted, 5, "old", 1)}, true, 99);
  EXPECT_EQ(transaction.commands, (Commands{{"EXISTS", kHash},
                                            {"HSET", kHash, "meta", meta(5, 99), "k:" + key, "data4"},
                                            {"HDEL", kHash, "k:old"},
                                            {"SADD", kNodes, "web-1"},
                                            {"PUBLISH", kEvents, "event4"},
                                            {"PUBLISH", kEvents, "event5"},
                                            {"PEXPIRE", kHash, "10000"}}));
  EXPECT_TRUE(transaction.hash_expected);
}

TEST(RedisTransaction, WritesTheLastWordOnAKeyOnly) {
  const TransactionWriter writer(kIdentity);
  const auto transaction =
      writer.batch("shop",
                   {event(EventType::promoted, 1, "a", 1), event(EventType::demoted, 2, "a", 0),
                    event(EventType::promoted, 3, "b", 1), event(EventType::updated, 4, "b", 1)},
                   false, 99);
  EXPECT_EQ(transaction.commands[1], (RedisCommand{"HSET", kHash, "meta", meta(4, 99), "k:b", "data4"}));
  EXPECT_EQ(transaction.commands[2], (RedisCommand{"HDEL", kHash, "k:a"}));
}

TEST(RedisTransaction, TakesTheHashAwayWithTheLastHotKey) {
  const TransactionWriter writer(kIdentity);
  EXPECT_EQ(
      writer.batch("shop", {event(EventType::demoted, 5, "a", 0)}, true, 99).commands,
      (Commands{
          {"EXISTS", kHash}, {"DEL", kHash}, {"SREM", kNodes, "web-1"}, {"PUBLISH", kEvents, "event5"}}));
}

TEST(RedisTransaction, OnlyPublishesWhileNothingIsHot) {
  const TransactionWriter writer(kIdentity);
  EXPECT_EQ(writer.batch("shop", {event(EventType::invalidated, 5, "a", 0)}, false, 99).commands,
            (Commands{{"EXISTS", kHash},
                      {"PUBLISH", kEvents, "event5"},
                      {"PUBLISH", "hotkey:invalidated:shop", "event5"}}));
}

TEST(RedisTransaction, WritesASnapshotWholeAndWhatWasHeldBackBehindIt) {
  const TransactionWriter writer(kIdentity);
  PublishedSnapshot snapshot;
  snapshot.ns = "shop";
  snapshot.seq = 9;
  snapshot.as_of_ms = 55;
  snapshot.entries = {{"a", "A"}, {"b", "B"}};
  snapshot.parts = {std::make_shared<const std::string>("part1"),
                    std::make_shared<const std::string>("part2")};
  EXPECT_EQ(writer.snapshot(snapshot, {event(EventType::invalidated, 8, "a", 2)}).commands,
            (Commands{{"EXISTS", kHash},
                      {"DEL", kHash},
                      {"HSET", kHash, "meta", meta(9, 55), "k:a", "A", "k:b", "B"},
                      {"SADD", kNodes, "web-1"},
                      {"PUBLISH", kEvents, "part1"},
                      {"PUBLISH", kEvents, "part2"},
                      {"PUBLISH", kEvents, "event8"},
                      {"PUBLISH", "hotkey:invalidated:shop", "event8"},
                      {"PEXPIRE", kHash, "10000"}}));
}

TEST(RedisTransaction, LeavesNoHashBehindForAnEmptySnapshot) {
  const TransactionWriter writer(kIdentity);
  PublishedSnapshot snapshot;
  snapshot.ns = "shop";
  snapshot.parts = {std::make_shared<const std::string>("part1")};
  EXPECT_EQ(
      writer.snapshot(snapshot, {}).commands,
      (Commands{
          {"EXISTS", kHash}, {"DEL", kHash}, {"SREM", kNodes, "web-1"}, {"PUBLISH", kEvents, "part1"}}));
}

TEST(RedisTransaction, CutsALargeSnapshotIntoCommandsOfBoundedSize) {
  const TransactionWriter writer(kIdentity);
  PublishedSnapshot snapshot;
  snapshot.ns = "shop";
  for (int number = 0; number < 1000; ++number)
    snapshot.entries.push_back({"k" + std::to_string(number), "data"});
  std::size_t fields = 0;
  for (const RedisCommand& command : writer.snapshot(snapshot, {}).commands) {
    EXPECT_LE(command.size(), 520U);
    if (command[0] == "HSET") fields += (command.size() - 2) / 2;
  }
  EXPECT_EQ(fields, 1001U);
}

TEST(RedisTransaction, BeatsWithoutTouchingTheFields) {
  const TransactionWriter writer(kIdentity);
  const std::string beat = encode_heartbeat({"web-1", 7, "shop"}, 5, 2, 10'000, 99);
  EXPECT_EQ(writer.heartbeat("shop", {.seq = 5, .hot_keys = 2}, 99).commands,
            (Commands{{"EXISTS", kHash},
                      {"SADD", kNodes, "web-1"},
                      {"PUBLISH", kEvents, beat},
                      {"PEXPIRE", kHash, "10000"}}));
  const std::string cold = encode_heartbeat({"web-1", 7, "shop"}, 5, 0, 10'000, 99);
  EXPECT_EQ(writer.heartbeat("shop", {.seq = 5, .hot_keys = 0}, 99).commands,
            (Commands{{"EXISTS", kHash}, {"PUBLISH", kEvents, cold}}));
}

RespValue simple(const std::string& text) { return {RespValue::Kind::simple, text, 0, {}}; }
RespValue error(const std::string& text) { return {RespValue::Kind::error, text, 0, {}}; }

TEST(RedisTransaction, ReadsTheResultsOfExec) {
  const RespValue exec{RespValue::Kind::array, "", 0, {simple("a"), error("WRONGTYPE x")}};
  const auto outcome = read_outcome({simple("OK"), simple("QUEUED"), simple("QUEUED"), exec}, 2);
  EXPECT_FALSE(outcome.refusal);
  EXPECT_EQ(outcome.results.size(), 2U);
}

TEST(RedisTransaction, TellsWhatMadeExecFail) {
  const auto abort = error("EXECABORT Transaction discarded because of previous errors.");
  EXPECT_EQ(read_outcome({simple("OK"), error("READONLY You can't write"), abort}, 1).refusal,
            "READONLY You can't write");
  EXPECT_EQ(read_outcome({simple("OK"), simple("QUEUED"), abort}, 1).refusal,
            "EXECABORT Transaction discarded because of previous errors.");
  EXPECT_EQ(read_outcome({simple("OK"), simple("QUEUED"), RespValue{}}, 1).refusal,
            "ERR an unexpected reply to EXEC");
}

}  // namespace
}  // namespace hotkeyd
