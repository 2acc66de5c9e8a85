#include "cli/format.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;

TEST(Format, CountsInTheSingularAndThePlural) {
  EXPECT_EQ(counted(0, "miss", "misses"), "0 misses");
  EXPECT_EQ(counted(1, "miss", "misses"), "1 miss");
  EXPECT_EQ(counted(2000, "miss", "misses"), "2,000 misses");
}

TEST(Format, SeparatesThousands) {
  EXPECT_EQ(with_separators(0), "0");
  EXPECT_EQ(with_separators(999), "999");
  EXPECT_EQ(with_separators(1000), "1,000");
  EXPECT_EQ(with_separators(18'446'744'073'709'551'615U), "18,446,744,073,709,551,615");
}

TEST(Format, WritesFractionsWithFixedDecimals) {
  EXPECT_EQ(fixed(0, 1), "0.0");
  EXPECT_EQ(fixed(1234567.25, 2), "1,234,567.25");
  EXPECT_EQ(fixed(-999.5, 0), "-1,000");
}

TEST(Format, SaysTimesInAtMostTwoUnits) {
  EXPECT_EQ(in_time(0ms), "0 ms");
  EXPECT_EQ(in_time(999ms), "999 ms");
  EXPECT_EQ(in_time(59'999ms), "59 s");
  EXPECT_EQ(in_time(60s), "1 m");
  EXPECT_EQ(in_time(125s), "2 m 5 s");
  EXPECT_EQ(in_time(3h + 10min + 59s), "3 h 10 m");
  EXPECT_EQ(in_time(49h), "2 d 1 h");
}

TEST(Format, SaysSmallSharesWithADecimal) {
  EXPECT_EQ(in_percent(0), "0%");
  EXPECT_EQ(in_percent(0.0314), "3.1%");
  EXPECT_EQ(in_percent(0.5), "50%");
}

TEST(Format, SaysTimesOfTheLocalDay) {
  setenv("TZ", "UTC", 1);
  tzset();
  EXPECT_EQ(time_of_day(1'796'053'922'113, true), "15:52:02.113");
  EXPECT_EQ(time_of_day(1'796'053'922'113, false), "15:52:02");
  EXPECT_EQ(date_and_time(1'796'053'922'113), "2026-11-30 15:52:02");
}

TEST(Format, ShowsKeysEscaped) {
  EXPECT_EQ(shown_key("a b"), "a b");
  EXPECT_EQ(shown_key("\x1b[2J\"\\\r\n\0\xff"s), "\\x1b[2J\\\"\\\\\\r\\n\\x00\\xff");
}

TEST(Format, KeepsQuotesInSentencesButNothingUnprintable) {
  EXPECT_EQ(printable("rule \"sale\" a\\b\x1b\n\xc3\xa9"), "rule \"sale\" a\\b\\x1b\\n\\xc3\\xa9");
}

TEST(Format, CutsLongKeysAndSaysHowLongTheyAre) {
  EXPECT_EQ(shown_key("abcde", 5), "abcde");
  EXPECT_EQ(shown_key("abcdef", 5), "abcde... (6 bytes)");
  EXPECT_EQ(shown_key("abc\xff", 6), "abc... (4 bytes)");
  EXPECT_EQ(shown_key("abc\xff", 7), "abc\\xff");
  EXPECT_EQ(shown_key(std::string(65'536, 'x')), std::string(200, 'x') + "... (65536 bytes)");
}

TEST(Format, ReadsDurationsWithTheirUnit) {
  EXPECT_EQ(parse_time_span("500ms"), 500ms);
  EXPECT_EQ(parse_time_span("10s"), 10s);
  EXPECT_EQ(parse_time_span("1.5m"), 90s);
  EXPECT_EQ(parse_time_span("2h"), 2h);
  EXPECT_EQ(parse_time_span("7d"), 168h);
}

TEST(Format, RefusesWhatIsNoDuration) {
  for (const std::string_view text : {"", "10", "s", "-1s", "+1s", "1e3s", "0s", "0.1ms", "10 s", "10sec",
                                      "1..5s", "nan", "inf", "99999999999999999999d", "10001d", ".s"}) {
    EXPECT_EQ(parse_time_span(text), std::nullopt) << text;
  }
}

TEST(Format, ReadsSharesInPercent) {
  EXPECT_EQ(parse_share("50%"), 0.5);
  EXPECT_EQ(parse_share("0%"), 0.0);
  EXPECT_EQ(parse_share("100%"), 1.0);
  for (const std::string_view text : {"", "50", "%", "101%", "-1%", "50 %", "50%%"}) {
    EXPECT_EQ(parse_share(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace hotkeyd
