#include "cli/listing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "wire/event.h"

namespace hotkeyd {
namespace {

constexpr UnixMs kNow = 1'796'053'922'113;  // 2026-11-30 15:52:02 UTC

class Listing : public testing::Test {
 protected:
  Listing() {
    setenv("TZ", "UTC", 1);
    tzset();
  }
};

std::string key_data(const std::string& key, std::uint64_t rate) {
  KeyData data;
  data.key = key;
  data.rule = "sale";
  data.rate = rate;
  data.error = 3;
  data.detected_at_ms = kNow - 65'000;
  data.actions.near_cache = EventNearCache{1000, 1 << 20};
  return encode_key_data({"web-17", 1, "shop"}, data);
}

TEST_F(Listing, ShowsHotKeysByFallingRateThenByBytes) {
  EXPECT_EQ(hot_keys_table({key_data("b", 7), key_data("c", 1003), key_data("a", 7)}, kNow),
            "RATE/S  ERROR  CLASS  LEVEL  RULE  HOT FOR  ACTIONS     KEY\n"
            " 1,003      3  read   hot    sale  1 m 5 s  near_cache  c\n"
            "     7      3  read   hot    sale  1 m 5 s  near_cache  a\n"
            "     7      3  read   hot    sale  1 m 5 s  near_cache  b\n");
}

TEST_F(Listing, NamesEveryAction) {
  KeyData data;
  data.key = "k";
  data.actions.hot_pool_copies = 4;
  data.actions.split_shards = 16;
  data.actions.alert = true;
  const std::string table = hot_keys_table({encode_key_data({"n", 1, "shop"}, data)}, kNow);
  EXPECT_NE(table.find("hot_pool 4, split 16, alert  k\n"), std::string::npos) << table;
  EXPECT_NE(table.find("  -     "), std::string::npos) << "no rule is a dash: " << table;
}

TEST_F(Listing, ShowsHostileKeysEscapedOnOneLineEach) {
  using namespace std::string_literals;
  const std::vector<std::string> keys = {"a\r\nb", "\x1b[31m", "\xff\xfe", "nul\0"s, "\x9b", "\xc2\x85", " "};
  for (const std::string& key : keys) {
    const std::string table = hot_keys_table({key_data(key, 1)}, kNow);
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 2) << table;
    EXPECT_TRUE(std::all_of(table.begin(), table.end(), [](char c) {
      return c == '\n' || (c >= ' ' && c <= '~');
    })) << table;
  }
}

TEST_F(Listing, SaysWhenNothingIsHot) {
  EXPECT_EQ(hot_keys_table({}, kNow), "No key is hot.\n");
  EXPECT_EQ(episodes_table({}, kNow), "No key has been hot.\n");
}

TEST_F(Listing, SurvivesWhatIsNotTheJsonItExpects) {
  for (const std::string text : {"", "null", "[]", "{}", "{\"key\":5,\"rate\":\"x\",\"actions\":7}",
                                 "{\"key\":null,\"key_b64\":\"?\"}"}) {
    EXPECT_FALSE(hot_keys_table({text}, kNow).empty());
    EXPECT_FALSE(episodes_table({text}, kNow).empty());
    EXPECT_FALSE(explanation("k", text + " ", kNow).empty());
    EXPECT_FALSE(status_text(text, "unix:///s", kNow).empty());
  }
}

TEST_F(Listing, ShowsEpisodesInTheOrderGiven) {
  const std::string ended =
      R"({"key":"k","rule":"sale","class":"read","reason":"rate","started_ms":1796053920000,)"
      R"("ended_ms":1796053921500,"peak_rate":12345})";
  const std::string open = R"({"key":null,"key_b64":"/w==","rule":null,"class":"read","reason":"pinned",)"
                           R"("started_ms":1796053920000,"ended_ms":null,"peak_rate":0})";
  EXPECT_EQ(episodes_table({open, ended}, kNow),
            "STARTED                  LASTED  PEAK/S  CLASS  REASON  RULE  KEY\n"
            "2026-11-30 15:52:00  still, 2 s       0  read   pinned  -     \\xff\n"
            "2026-11-30 15:52:00         1 s  12,345  read   rate    sale  k\n");
}

TEST_F(Listing, ExplainsAKey) {
  const std::string answer =
      R"({"ns":"shop","key":"a\nb","rate":1003,"error":12,"count":1003,"reads":1000,"writes":3,"misses":10,"local_hits":5,)"
      R"("bytes":148000,"class":"read","state":"hot","rule":"sale","since_ms":1796053921113,"pinned":true,"denied":false,)"
      R"("why":"It is hot because its rate reached 1000/s."})";
  EXPECT_EQ(
      explanation("a\nb", answer, kNow),
      "a\\nb: It is hot because its rate reached 1000/s.\n"
      "\n"
      "  state    hot since 2026-11-30 15:52:01 (1 s)\n"
      "  rule     sale\n"
      "  rate     1,003/s, at most 12/s off\n"
      "  class    read\n"
      "  window   1,003 accesses: 1,000 reads (10 misses, 5 answered locally), 3 writes, 148,000 bytes\n"
      "  orders   pinned\n");
}

TEST_F(Listing, ExplainsAKeyThatIsNotTracked) {
  EXPECT_TRUE(explanation("no\xff", "", kNow).starts_with("no\\xff is not tracked: "));
}

TEST_F(Listing, ShowsTheCountersThatAreNotZero) {
  EXPECT_EQ(
      status_text(R"({"build_info{version=\"0.1.0\"}":1,"commands_total":1234567,"delay_bucket{le=\"1\"}":5,)"
                  R"("idle":0,"loop_lag_seconds":0.25,"lag":0.0,"process_start_time_seconds":1796053862.1,)"
                  R"("source{ns=\"shop\"}":3})",
                  "unix:///s", kNow),
      "hotkeyd 0.1.0 at unix:///s, up 1 m\n"
      "\n"
      "        VALUE  COUNTER\n"
      "    1,234,567  commands_total\n"
      "     0.250000  loop_lag_seconds\n"
      "1,796,053,862  process_start_time_seconds\n"
      "            3  source{ns=\"shop\"}\n");
}

}  // namespace
}  // namespace hotkeyd
