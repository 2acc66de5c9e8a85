#include "wire/event.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/text.h"
#include "tests/wire/golden.h"
#include "tests/wire/hostile_keys.h"
#include "tests/wire/samples.h"

namespace hotkeyd {
namespace {

KeyData with_key(std::string key) {
  KeyData data = sample_data();
  data.key = std::move(key);
  return data;
}

std::string promoted(const KeyData& data) {
  return encode_key_event(sample_stream(), EventType::promoted, data, kAtMs);
}

// The value of a member that is text, as it stands in the JSON.
std::string member(const std::string& json, const std::string& name) {
  const std::string before = "\"" + name + "\":\"";
  const std::size_t begin = json.find(before) + before.size();
  std::size_t end = begin;
  while (json[end] != '"') end += json[end] == '\\' ? 2U : 1U;
  return json.substr(begin, end - begin);
}

bool has_raw_control(const std::string& json) {
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto byte = static_cast<unsigned char>(json[i]);
    if (byte < 0x20 || byte == 0x7f) return true;
    if (byte == 0xc2 && static_cast<unsigned char>(json[i + 1]) < 0xa0) return true;
  }
  return false;
}

TEST(EventEncoding, IsTheGoldenBytesForEveryType) {
  const Stream stream = sample_stream();
  KeyData demoted = sample_data();
  demoted.seq = 44;
  demoted.reason = "cooled";
  const std::vector<std::string> entries{encode_key_data(stream, sample_data()),
                                         encode_key_data(stream, full_data())};
  EXPECT_EQ(promoted(sample_data()), golden("promoted.json"));
  EXPECT_EQ(encode_key_event(stream, EventType::updated, full_data(), kAtMs), golden("updated.json"));
  EXPECT_EQ(encode_key_event(stream, EventType::demoted, demoted, kAtMs), golden("demoted.json"));
  EXPECT_EQ(encode_invalidated(stream, sample_data().key, 45, kAtMs), golden("invalidated.json"));
  EXPECT_EQ(encode_rules_changed(stream, 46, kAtMs), golden("rules_changed.json"));
  EXPECT_EQ(encode_heartbeat(stream, 46, 2, 10'000, kAtMs), golden("heartbeat.json"));
  EXPECT_EQ(encode_snapshot_part(stream, 46, kAtMs, 10'000, 1, 2, entries), golden("snapshot.json"));
}

TEST(EventEncoding, SaysDemotedKeysAreColdAndHaveNoActions) {
  const auto decoded =
      decode_event(encode_key_event(sample_stream(), EventType::demoted, full_data(), kAtMs));
  ASSERT_TRUE(decoded) << decoded.error();
  EXPECT_EQ(decoded->data->state, "cold");
  EXPECT_EQ(decoded->data->actions, EventActions{});
}

TEST(EventEncoding, WritesNoRawControlCharacter) {
  for (const std::string& key : hostile_keys()) {
    EXPECT_FALSE(has_raw_control(promoted(with_key(key)))) << redis_escape(key, 100);
    EXPECT_FALSE(has_raw_control(encode_invalidated(sample_stream(), key, 1, kAtMs)))
        << redis_escape(key, 100);
  }
}

TEST(EventEncoding, WritesControlCharactersOfAKeyAsUnicodeEscapes) {
  std::string out;
  append_json_key(out, std::string_view("\0\n\x7f\xc2\x80\xc2\x9f\xc2\xa0", 9));
  EXPECT_EQ(out, "\"key\":\"\\u0000\\u000a\\u007f\\u0080\\u009f\xc2\xa0\"");
}

TEST(EventEncoding, EscapesSubjectAndPartitionKeyAsRedisDoes) {
  const std::string event = promoted(with_key(std::string("a|\"\\\n\0\x7f\xc3\xa9", 9)));
  EXPECT_EQ(member(event, "subject"), "a|\\\\\\\"\\\\\\\\\\\\n\\\\x00\\\\x7f\\\\xc3\\\\xa9");
  EXPECT_EQ(member(event, "partitionkey"), "shop|" + member(event, "subject"));
}

TEST(EventEncoding, CutsTheSubjectAtAWholeEscapeAndNothingElse) {
  const std::string event = promoted(with_key("ab" + std::string(2000, '\xff')));
  EXPECT_EQ(member(event, "subject").size(), 2U + 255 * 5);  // 1022 bytes; \xff is \\xff in JSON.
  EXPECT_EQ(member(event, "partitionkey").size(), 5U + 2 + 2000 * 5);
}

TEST(EventEncoding, WritesSharesWithAtMostFourDecimals) {
  const auto written = [](double share) {
    KeyData data = sample_data();
    data.share = share;
    const std::string json = encode_key_data(sample_stream(), data);
    const std::size_t begin = json.find("\"share\":") + 8;
    return json.substr(begin, json.find(',', begin) - begin);
  };
  EXPECT_EQ(written(0), "0");
  EXPECT_EQ(written(1), "1");
  EXPECT_EQ(written(0.5), "0.5");
  EXPECT_EQ(written(0.00004), "0");
  EXPECT_EQ(written(0.0001), "0.0001");
  EXPECT_EQ(written(0.1009), "0.1009");
  EXPECT_EQ(written(0.99999), "1");
  EXPECT_EQ(written(1.5), "1");
  EXPECT_EQ(written(-1), "0");
  EXPECT_EQ(written(std::numeric_limits<double>::quiet_NaN()), "0");
}

TEST(EventEncoding, EscapesRuleNamesThatAreNotUtf8) {
  KeyData data = sample_data();
  data.rule = "a\"b\xff";
  const auto decoded = decode_event(promoted(data));
  ASSERT_TRUE(decoded) << decoded.error();
  EXPECT_EQ(decoded->data->rule, "a\\\"b\\xff");
}

TEST(SnapshotCut, KeepsEveryPartWithinItsLimit) {
  const Stream stream = sample_stream();
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < 300; ++i) {
    entries.push_back(encode_key_data(stream, with_key(std::string(i * 37 % 5000, 'k'))));
  }
  const auto parts = cut_snapshot(stream, entries, 20'000);
  std::size_t at = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto first = entries.begin() + static_cast<std::ptrdiff_t>(at);
    const std::vector<std::string> mine(first, first + static_cast<std::ptrdiff_t>(parts[i]));
    const std::string part = encode_snapshot_part(stream, ~0ULL, kAtMs, 10'000, i + 1, parts.size(), mine);
    EXPECT_LE(part.size(), 20'000U);
    EXPECT_GT(part.size(), i + 1 == parts.size() ? 0U : 12'000U);
    at += parts[i];
  }
  EXPECT_EQ(at, entries.size());
}

TEST(SnapshotCut, IsOneEmptyPartWithoutKeys) {
  EXPECT_EQ(cut_snapshot(sample_stream(), {}), std::vector<std::size_t>{0});
}

TEST(SnapshotCut, LetsAnEntryOverTheLimitStandAlone) {
  const std::string small = encode_key_data(sample_stream(), sample_data());
  const std::string large = encode_key_data(sample_stream(), with_key(std::string(9000, 'x')));
  const std::vector<std::size_t> expected{1, 1, 2};
  EXPECT_EQ(cut_snapshot(sample_stream(), {small, large, small, small}, 4000), expected);
}

}  // namespace
}  // namespace hotkeyd
