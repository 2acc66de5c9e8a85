#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "tests/wire/golden.h"
#include "tests/wire/hostile_keys.h"
#include "tests/wire/samples.h"
#include "wire/event.h"

namespace hotkeyd {
namespace {

Event decoded(const std::string& json) {
  auto event = decode_event(json);
  EXPECT_TRUE(event) << event.error();
  return event ? *event : Event{};
}

std::string error_of(const std::string& json) {
  const auto event = decode_event(json);
  return event ? "" : event.error();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

void expect_stream(const Event& event) {
  EXPECT_EQ(event.stream.node, "web-17");
  EXPECT_EQ(event.stream.epoch, 1'796'053'922'000U);
  EXPECT_EQ(event.stream.ns, "shop");
}

TEST(EventDecoding, ReadsEveryKeyEventBack) {
  const Event promoted = decoded(golden("promoted.json"));
  expect_stream(promoted);
  EXPECT_EQ(promoted.type, EventType::promoted);
  EXPECT_EQ(promoted.id, "web-17/1796053922000/shop/42");
  EXPECT_EQ(promoted.seq, 42U);
  EXPECT_EQ(promoted.key, "seckill:product:10001");
  EXPECT_EQ(promoted.lease_ms, 10'000);
  EXPECT_EQ(promoted.data, sample_data());

  KeyData rounded = full_data();
  rounded.share = 0.1235;
  const Event updated = decoded(golden("updated.json"));
  EXPECT_EQ(updated.type, EventType::updated);
  EXPECT_EQ(updated.data, rounded);

  KeyData cold = sample_data();
  cold.seq = 44;
  cold.state = "cold";
  cold.reason = "cooled";
  cold.actions = {};
  const Event demoted = decoded(golden("demoted.json"));
  EXPECT_EQ(demoted.type, EventType::demoted);
  EXPECT_EQ(demoted.data, cold);
}

TEST(EventDecoding, ReadsEveryOtherEventBack) {
  const Event invalidated = decoded(golden("invalidated.json"));
  expect_stream(invalidated);
  EXPECT_EQ(invalidated.type, EventType::invalidated);
  EXPECT_EQ(invalidated.seq, 45U);
  EXPECT_EQ(invalidated.key, "seckill:product:10001");
  EXPECT_FALSE(invalidated.data);

  const Event rules = decoded(golden("rules_changed.json"));
  expect_stream(rules);
  EXPECT_EQ(rules.type, EventType::rules_changed);
  EXPECT_EQ(rules.seq, 46U);

  const Event heartbeat = decoded(golden("heartbeat.json"));
  expect_stream(heartbeat);
  EXPECT_EQ(heartbeat.type, EventType::heartbeat);
  EXPECT_EQ(heartbeat.id, "web-17/1796053922000/shop/46/heartbeat/1796053922113");
  EXPECT_EQ(heartbeat.seq, 46U);
  EXPECT_EQ(heartbeat.hot_keys, 2U);
  EXPECT_EQ(heartbeat.lease_ms, 10'000);
}

TEST(EventDecoding, ReadsSnapshotsWithTheVersionOfEachEntry) {
  // After a restart an entry carries the new epoch and seq 0; a foreign one may carry any.
  const std::string entry = R"("key":null,"key_b64":"/wDDKA==","node":"web-17","epoch":)";
  const Event snapshot = decoded(replaced(golden("snapshot.json"), entry + "1796053922000", entry + "5"));
  expect_stream(snapshot);
  EXPECT_EQ(snapshot.type, EventType::snapshot);
  EXPECT_EQ(snapshot.seq, 46U);
  EXPECT_EQ(snapshot.part, 1U);
  EXPECT_EQ(snapshot.parts, 2U);
  EXPECT_EQ(snapshot.lease_ms, 10'000);
  ASSERT_EQ(snapshot.keys.size(), 2U);
  EXPECT_EQ(snapshot.keys[0], sample_data());
  EXPECT_EQ(snapshot.keys[1].key, full_data().key);
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> versions{{1'796'053'922'000, 42}, {5, 43}};
  EXPECT_EQ(snapshot.key_versions, versions);
}

TEST(EventDecoding, KeepsHostileKeysWhole) {
  for (const std::string& key : hostile_keys()) {
    KeyData data = sample_data();
    data.key = key;
    const Stream stream = sample_stream();
    const std::string name = redis_escape(key, 100);
    EXPECT_EQ(decoded(encode_key_event(stream, EventType::promoted, data, kAtMs)).data, data) << name;
    EXPECT_EQ(decoded(encode_invalidated(stream, key, 1, kAtMs)).key, key) << name;
    const std::string part =
        encode_snapshot_part(stream, 1, kAtMs, 10, 1, 1, {encode_key_data(stream, data)});
    EXPECT_EQ(decoded(part).keys, std::vector<KeyData>{data}) << name;
  }
}

TEST(EventDecoding, IgnoresMembersItDoesNotKnow) {
  auto json = nlohmann::json::parse(golden("updated.json"));
  json["later"] = {{"a", {1, 2, 3}}};
  json["data"]["later"] = nullptr;
  json["data"]["actions"]["later"] = true;
  json["data"]["actions"]["hot_pool"]["nodes"] = {"redis://a", "redis://b"};
  EXPECT_EQ(decoded(json.dump()).data->actions, full_data().actions);
}

// Takes each member of the object at `path` away, and gives it a wrong type.
void expect_needed(const std::string& file, const std::string& path, const std::vector<std::string>& names) {
  const auto whole = nlohmann::json::parse(golden(file));
  const nlohmann::json::json_pointer at(path);
  for (const std::string& name : names) {
    auto without = whole;
    without[at].erase(name);
    EXPECT_EQ(error_of(without.dump()), "event: " + name + " is missing") << file;
    auto wrong = whole;
    wrong[at][name] = nlohmann::json::array({1});
    EXPECT_NE(error_of(wrong.dump()), "") << file << ' ' << name;
  }
}

TEST(EventDecoding, RefusesEventsThatLackWhatIsNeeded) {
  const std::vector<std::string> of_stream{"ns", "node", "epoch", "seq"};
  const std::vector<std::string> of_key{
      "key",        "seq",   "scope",     "state",  "class",          "level",    "reason",
      "count",      "rate",  "error",     "share",  "reads",          "writes",   "misses",
      "local_hits", "bytes", "window_ms", "sample", "detected_at_ms", "lease_ms", "actions"};
  for (const std::string file :
       {"promoted.json", "invalidated.json", "rules_changed.json", "heartbeat.json", "snapshot.json"}) {
    expect_needed(file, "", {"type", "id", "data"});
    expect_needed(file, "/data", of_stream);
  }
  expect_needed("promoted.json", "/data", of_key);
  expect_needed("snapshot.json", "/data/keys/0", of_key);
  expect_needed("snapshot.json", "/data/keys/1", {"epoch", "key_b64"});
  expect_needed("snapshot.json", "/data", {"part", "parts", "lease_ms", "keys"});
  expect_needed("heartbeat.json", "/data", {"hot_keys", "lease_ms"});
  expect_needed("invalidated.json", "/data", {"key"});
  expect_needed("promoted.json", "/data/actions", {"alert"});
  expect_needed("promoted.json", "/data/actions/near_cache", {"ttl_ms", "max_value_bytes"});
  expect_needed("updated.json", "/data/actions/split", {"shards"});
}

TEST(EventDecoding, RefusesValuesOutOfRange) {
  const std::string event = golden("promoted.json");
  EXPECT_EQ(error_of(replaced(event, "\"count\":1003", "\"count\":-1")),
            "event: count is not an integer in range");
  EXPECT_EQ(error_of(replaced(event, "\"count\":1003", "\"count\":1.5")),
            "event: count is not an integer in range");
  EXPECT_EQ(error_of(replaced(event, "\"sample\":1", "\"sample\":4294967296")),
            "event: sample is not an integer in range");
  EXPECT_EQ(error_of(replaced(event, "\"lease_ms\":1", "\"lease_ms\":18446744073709551615,\"x\":1")),
            "event: lease_ms is not an integer in range");
  EXPECT_EQ(error_of(replaced(event, "hotkey.promoted", "hotkey.nosuch")), "event: type is unknown");
  EXPECT_EQ(error_of(replaced(event, "\"ns\":\"shop\"", "\"ns\":\"a/b\"")), "event: ns is not a name");
  EXPECT_EQ(error_of(replaced(event, "\"node\":\"web-17\"", "\"node\":\"\"")), "event: node is not a name");
  EXPECT_EQ(error_of(replaced(golden("updated.json"), "/wDDKA==", "/wDDKA=")),
            "event: key_b64 is not base64");
  EXPECT_EQ(error_of(replaced(golden("snapshot.json"), "\"part\":1", "\"part\":3")),
            "event: part is not one of parts");
}

TEST(EventDecoding, RefusesWhatIsNoJsonObject) {
  const std::string event = golden("promoted.json");
  for (const std::string& bad :
       {std::string(), std::string("{"), std::string("[]"), std::string("null"), std::string("1e999"),
        std::string("\"x\""), event + "x", event + event, "\xef\xbb\xbfx" + event,
        event.substr(0, event.size() - 1), std::string("{\"a\":\"\xff\"}"), std::string("\0", 1),
        std::string("{\"type\":\"\\ud800\"}"), std::string("{'type':1}"), std::string("{\"a\":1,}")}) {
    EXPECT_EQ(error_of(bad), "event: not a JSON object") << redis_escape(bad, 60);
  }
  EXPECT_EQ(error_of("{}"), "event: type is missing");
}

TEST(EventDecoding, RefusesEveryPrefixOfAnEvent) {
  const std::string event = golden("snapshot.json");
  for (std::size_t size = 0; size < event.size(); ++size)
    EXPECT_NE(error_of(event.substr(0, size)), "") << size;
}

TEST(EventDecoding, RefusesDepthBombsBeforeBuildingThem) {
  const std::string bomb(4'000'000, '[');
  EXPECT_EQ(error_of(bomb), "event: nested too deep");
  EXPECT_EQ(error_of("{\"a\":" + bomb), "event: nested too deep");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_EQ(error_of(objects), "event: nested too deep");
}

TEST(EventDecoding, DoesNotMistakeBracketsInsideTextForDepth) {
  KeyData data = sample_data();
  data.key = std::string(1000, '[') + "\\\"{" + std::string(1000, '{');
  EXPECT_EQ(decoded(encode_key_event(sample_stream(), EventType::promoted, data, kAtMs)).key, data.key);
}

}  // namespace
}  // namespace hotkeyd
