#include "cli/top_frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace hotkeyd {
namespace {

using Style = ScreenLine::Style;
using ScreenLines = std::vector<ScreenLine>;

class TopFrame : public testing::Test {
 protected:
  TopFrame() {
    setenv("TZ", "UTC", 1);
    tzset();
  }
};

TopSample two_keys() {
  TopSample sample;
  sample.ns = "shop";
  sample.node = "web-17";
  sample.epoch = 1;
  sample.at_ms = 1'796'053'922'113;
  sample.rate = 200'123.4;
  sample.hot_keys = 1;
  sample.tracked_keys = 4096;
  sample.keys = {{"product:1", 100'061, 12, "read", "hot"}, {"b\r\n", 7, 0, "write", "warm"}};
  return sample;
}

TopSample many_keys() {
  TopSample sample = two_keys();
  sample.keys.clear();
  for (std::uint64_t i = 0; i < 100; ++i) {
    const std::string hostile =
        std::to_string(i) + std::string(1, static_cast<char>(128 + i)) + "\x1b[31m\r\n";
    sample.keys.push_back({hostile + std::string(1000, '\xff'), 1000 - i, i, "read", "hot"});
  }
  return sample;
}

TEST_F(TopFrame, ShowsHeadlineStatusTitlesAndKeys) {
  EXPECT_EQ(top_frame(sampled({}, two_keys()), {64, 10}),
            (ScreenLines{{"shop on web-17   15:52:02   200,123/s in all   1 hot, 4,096 trac", Style::bold},
                         {"by rate   h help   q quit", Style::plain},
                         {"RANK     RATE/S  SHARE  CLASS  STATE   KEY                      ", Style::reverse},
                         {"   1    100,061    50%  read   hot     product:1", Style::bold},
                         {"   2          7   0.0%  write  warm    b\\r\\n", Style::plain}}));
}

TEST_F(TopFrame, ShowsWhatAWideScreenHasRoomFor) {
  const auto lines = top_frame(sampled({}, two_keys()), {80, 10});
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[2].text, "RANK     RATE/S    ERROR  SHARE  CLASS  STATE   KEY" + std::string(29, ' '));
  EXPECT_EQ(lines[3].text, "   1    100,061       12    50%  read   hot     product:1");
}

TEST_F(TopFrame, LeavesColumnsOutBeforeTheKey) {
  EXPECT_EQ(top_frame(sampled({}, two_keys()), {31, 10})[3].text, "  100,061  product:1");
  EXPECT_EQ(top_frame(sampled({}, two_keys()), {12, 10})[3].text, "product:1");
}

TEST_F(TopFrame, FitsEverySizeWithPrintableAsciiOnly) {
  TopView view = sampled({}, many_keys());
  view.filter = "\xff";
  view.trouble = "lost\r\n\x1b[2J\xff";
  for (const bool shows_help : {false, true}) {
    for (const bool edits : {false, true}) {
      for (std::size_t columns = 1; columns < 130; ++columns) {
        for (const std::size_t rows : {1U, 2U, 3U, 4U, 5U, 24U, 200U}) {
          view.shows_help = shows_help;
          view.edits_filter = edits;
          const auto lines = top_frame(view, {columns, rows});
          ASSERT_LE(lines.size(), rows);
          for (const ScreenLine& line : lines) {
            ASSERT_LE(line.text.size(), columns) << line.text;
            ASSERT_TRUE(std::all_of(line.text.begin(), line.text.end(), [](char c) {
              return c >= ' ' && c <= '~';
            })) << line.text;
          }
        }
      }
    }
  }
}

TEST_F(TopFrame, ShowsTheRowsThatAreScrolledTo) {
  TopView view = sampled({}, many_keys());
  view.first = 98;
  const auto lines = top_frame(view, {80, 8});
  ASSERT_EQ(lines.size(), 8U);
  EXPECT_TRUE(lines[3].text.starts_with("  96 ")) << "never beyond the last key: " << lines[3].text;
  EXPECT_TRUE(lines[7].text.starts_with(" 100 ")) << lines[7].text;
}

TEST_F(TopFrame, SaysWhatIsGoingOn) {
  const auto status = [](const TopView& view) { return top_frame(view, {80, 10})[1].text; };
  TopView view = sampled({}, two_keys());
  view.filter = "a\"\x1b";
  EXPECT_EQ(status(view), "filter: a\\\"\\x1b   by rate   h help   q quit");
  view.is_paused = true;
  view.order = TopOrder::key;
  view.is_reversed = true;
  EXPECT_EQ(status(view), "PAUSED   filter: a\\\"\\x1b   by key, reversed   h help   q quit");
  view.notice = "reconnected";
  EXPECT_EQ(status(view), "reconnected");
  view.trouble = "lost";
  EXPECT_EQ(status(view), "lost");
  view.edits_filter = true;
  EXPECT_EQ(status(view), "filter: a\\\"\\x1b_   (Enter keeps it, Esc clears it)");
}

TEST_F(TopFrame, SaysWhyThereAreNoKeys) {
  const auto row = [](const TopView& view) { return top_frame(view, {80, 10}).back().text; };
  EXPECT_EQ(row({}), "Waiting for the daemon.");
  EXPECT_EQ(row(sampled({}, {})), "No key was accessed lately.");
  TopView view = sampled({}, two_keys());
  view.filter = "none";
  EXPECT_EQ(row(view), "No key passes the filter.");
}

TEST_F(TopFrame, CutsAKeyAtAWholeEscape) {
  EXPECT_EQ(fitted_key("product", 7), "product");
  EXPECT_EQ(fitted_key("product", 6), "pro...");
  EXPECT_EQ(fitted_key("ab\xff\xff", 10), "ab\\xff\\xff");
  EXPECT_EQ(fitted_key("ab\xff\xff", 9), "ab\\xff...");
  EXPECT_EQ(fitted_key("ab\xff\xff", 8), "ab...");
  EXPECT_EQ(fitted_key("product", 3), "...");
  EXPECT_EQ(fitted_key("product", 0), "");
}

TEST_F(TopFrame, AScreenIsOverwrittenWithoutLeavingARest) {
  EXPECT_EQ(screen_bytes({{"a", Style::plain}, {"b", Style::bold}, {"c", Style::reverse}}),
            "\x1b[Ha\x1b[K\r\n\x1b[1mb\x1b[0m\x1b[K\r\n\x1b[7mc\x1b[0m\x1b[K\x1b[J");
}

TEST_F(TopFrame, APipeGetsATable) {
  EXPECT_EQ(top_table(two_keys(), 20),
            "shop on web-17   15:52:02   200,123/s in all   1 hot, 4,096 tracked\n"
            "RANK     RATE/S    ERROR  SHARE  CLASS  STATE   KEY\n"
            "   1    100,061       12    50%  read   hot     product:1\n"
            "   2          7        0   0.0%  write  warm    b\\r\\n\n"
            "\n");
  EXPECT_EQ(top_table(two_keys(), 1).find("b\\r"), std::string::npos);
}

TEST_F(TopFrame, AScriptGetsALineOfJson) {
  TopSample sample = two_keys();
  sample.keys[1].key = "\xff";
  EXPECT_EQ(
      top_json(sample),
      R"({"ns":"shop","node":"web-17","as_of_ms":1796053922113,"rate":200123,"hot_keys":1,"tracked_keys":4096,)"
      R"("keys":[{"key":"product:1","rate":100061,"error":12,"class":"read","state":"hot"},)"
      R"({"key":null,"key_b64":"/w==","rate":7,"error":0,"class":"write","state":"warm"}]})"
      "\n");
  sample.rate.reset();
  EXPECT_NE(top_json(sample).find("\"rate\":null,"), std::string::npos);
}

}  // namespace
}  // namespace hotkeyd
