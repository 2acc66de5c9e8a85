#include "wire/report.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "resp/request_parser.h"
#include "tests/wire/golden.h"
#include "tests/wire/hostile_keys.h"
#include "tests/wire/samples.h"

namespace hotkeyd {
namespace {

using Words = std::vector<std::string_view>;

constexpr std::uint64_t kLargest = (1ULL << 63) - 1;

// "shop p 1 1 2 a 1 0 0 0 0 ..." cut at the blanks; the empty words are none.
Words split(std::string_view text) {
  Words words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::string report_error(const Words& words) {
  Report report;
  const auto decoded = decode_report(words, report);
  EXPECT_TRUE(decoded || report.rows.empty());
  return decoded ? "" : decoded.error();
}

std::string report_error(std::string_view text) { return report_error(split(text)); }

Report decoded(const Words& words) {
  Report report;
  const auto result = decode_report(words, report);
  EXPECT_TRUE(result) << result.error();
  return report;
}

// The arguments behind HOTKEY REPORT of an encoded report.
Words arguments_of(const std::string& encoded) {
  static RequestParser parser(RequestLimits{.frame_max = 64 << 20});
  const auto outcome = parser.parse(encoded);
  EXPECT_EQ(outcome.status, RequestParser::Status::request);
  EXPECT_EQ(outcome.consumed, encoded.size());
  const auto arguments = parser.arguments();
  EXPECT_EQ(arguments[0], "HOTKEY");
  EXPECT_EQ(arguments[1], "REPORT");
  return {arguments.begin() + 2, arguments.end()};
}

std::string encode(const Report& report) {
  std::string out;
  append_report(out, report);
  return out;
}

TEST(Report, IsWrittenAsTheGoldenBytes) { EXPECT_EQ(encode(sample_report()), golden("report.resp")); }

TEST(Report, ReadsTheGoldenBytesBack) {
  const std::string bytes = golden("report.resp");
  const Report report = decoded(arguments_of(bytes));
  EXPECT_EQ(report.ns, "shop");
  EXPECT_EQ(report.producer, "cart:web-17/47.1");
  EXPECT_EQ(report.epoch, 1'796'053'900'000U);
  EXPECT_EQ(report.seq, 7U);
  ASSERT_EQ(report.rows.size(), 2U);
  EXPECT_EQ(report.rows[0].key, "product:1");
  EXPECT_EQ(report.rows[0].bytes, 148'000U);
  EXPECT_EQ(report.rows[1].key, std::string_view("\0\r\n", 3));
  EXPECT_EQ(report.age_ms, 103U);
  EXPECT_EQ(report.sample, 10U);
  EXPECT_EQ(report.totals->recorded, 1000U);
  EXPECT_EQ(report.totals->dropped, 20U);
  EXPECT_EQ(report.near->oldest_ms, 5U);
  EXPECT_EQ(encode(report), bytes);
}

TEST(Report, HasDefaultsWhereOptionsAreLeftOut) {
  Report report = sample_report();
  const Words words = split("shop p 5 6 0");
  ASSERT_TRUE(decode_report(words, report));
  EXPECT_EQ(report.rows.size(), 0U);
  EXPECT_EQ(report.age_ms, 100U);
  EXPECT_EQ(report.sample, 1U);
  EXPECT_FALSE(report.totals);
  EXPECT_FALSE(report.near);
}

TEST(Report, TakesOptionsInAnyOrderAndCase) {
  const Words there = split("shop p 1 1 1 k 1 0 0 0 0 AGE 150 SAMPLE 2 TOTALS 5 1 NEAR 1 2 3 4 5");
  const Words back = split("shop p 1 1 1 k 1 0 0 0 0 near 1 2 3 4 5 Totals 5 1 sample 2 age 150");
  EXPECT_EQ(encode(decoded(there)), encode(decoded(back)));
  EXPECT_EQ(decoded(back).age_ms, 150U);
}

TEST(Report, TakesEveryNumberBelow2To63) {
  const Words words = split(
      "shop p 9223372036854775807 9223372036854775807 1 k 9223372036854775807 10 9223372036854775807 007 "
      "00000000000000000000000000009");
  const Report report = decoded(words);
  EXPECT_EQ(report.epoch, kLargest);
  EXPECT_EQ(report.seq, kLargest);
  EXPECT_EQ(report.rows[0].reads, kLargest);
  EXPECT_EQ(report.rows[0].writes, 10U);
  EXPECT_EQ(report.rows[0].misses, kLargest);
  EXPECT_EQ(report.rows[0].local_hits, 7U);
  EXPECT_EQ(report.rows[0].bytes, 9U);
}

TEST(Report, NamesTheFirstBadRowFromOne) {
  const std::string two = "shop p 1 1 4 a 1 0 0 0 0 b 1 0 0 0 0 ";
  const std::string last = " d 1 0 0 0 0";
  EXPECT_EQ(report_error(two + "c x 0 0 0 0" + last), "row 3: reads is not an integer from 0 to 2^63-1");
  EXPECT_EQ(report_error(two + "c 1 -1 0 0 0" + last), "row 3: writes is not an integer from 0 to 2^63-1");
  EXPECT_EQ(report_error(two + "c 5 0 6 0 0" + last), "row 3: misses are more than reads");
  EXPECT_EQ(report_error(two + "c 5 0 0 6 0" + last), "row 3: local_hits are more than reads");
  EXPECT_EQ(report_error(two + "c 9223372036854775808 0 0 0 0" + last),
            "row 3: reads is not an integer from 0 to 2^63-1");
  EXPECT_EQ(report_error(two + "c 1 0 0 0 99999999999999999999999" + last),
            "row 3: bytes is not an integer from 0 to 2^63-1");
}

TEST(Report, RefusesNumbersThatAreNone) {
  for (const std::string_view bad : {"", "+1", "-1", " 1", "1 ", "1.0", "0x1", "1e3", "\xb2", "a", ":", "/",
                                     "12a", "123456789012345678x", "99999999999999999999"}) {
    for (const std::size_t place : {2U, 3U, 4U, 6U, 7U, 8U, 9U, 10U, 12U}) {
      Words words = split("shop p 1 1 1 k 1 1 1 1 1 AGE 1");
      words[place] = bad;
      EXPECT_NE(report_error(words), "") << place << ' ' << bad;
    }
  }
}

TEST(Report, TakesASequenceNumberOfZeroAndRefusesNegativeOnes) {
  EXPECT_EQ(report_error("shop p 1 0 0"), "");
  EXPECT_EQ(report_error("shop p 1 -1 0"), "seq is not an integer from 0 to 2^63-1");
}

TEST(Report, RefusesRowsThatDoNotMatchN) {
  EXPECT_EQ(report_error("shop p 1 1 2 k 1 0 0 0 0"), "n does not match the rows");
  EXPECT_EQ(report_error("shop p 1 1 1 k 1 0 0 0"), "n does not match the rows");
  EXPECT_EQ(report_error("shop p 1 1 1 k 1 0 0 0 0 k 1 0 0 0 0"), "unknown option 'k' (is n right?)");
  EXPECT_EQ(report_error("shop p 1 1"), "wrong number of arguments for 'hotkey report' command");
  EXPECT_EQ(report_error(""), "wrong number of arguments for 'hotkey report' command");
}

TEST(Report, DoesNotAllocateForAHugeN) {
  Report report;
  const Words words = split("shop p 1 1 9223372036854775807 k 1 0 0 0 0");
  EXPECT_FALSE(decode_report(words, report));
  EXPECT_EQ(report.rows.capacity(), 0U);
}

TEST(Report, RefusesProducersThatAreNoNames) {
  const std::string longest(128, 'n');
  for (const std::string_view good :
       {std::string_view("app"), std::string_view("cart:web-17/47.1_1"), std::string_view(longest)}) {
    EXPECT_EQ(report_error(Words{"shop", good, "1", "1", "0"}), "");
  }
  const std::string too_long = longest + "n";
  for (const std::string_view bad :
       {std::string_view(""), std::string_view("\0", 1), std::string_view("a b"), std::string_view("a\r\n"),
        std::string_view("\xff"), std::string_view(too_long)}) {
    EXPECT_EQ(report_error(Words{"shop", bad, "1", "1", "0"}),
              "producer must be 1 to 128 of A-Z a-z 0-9 _ . - : /");
  }
}

TEST(Report, RefusesUnknownUnfinishedRepeatedAndImpossibleOptions) {
  const std::string head = "shop p 1 1 1 k 1 0 0 0 0 ";
  EXPECT_EQ(report_error(head + "NOSUCH 1"), "unknown option 'NOSUCH' (is n right?)");
  EXPECT_EQ(report_error(head + "AGE 1 2"), "unknown option '2' (is n right?)");
  EXPECT_EQ(report_error(head + "AGE"), "AGE is unfinished");
  EXPECT_EQ(report_error(head + "TOTALS 1"), "TOTALS is unfinished");
  EXPECT_EQ(report_error(head + "NEAR 1 2 3 4"), "NEAR is unfinished");
  EXPECT_EQ(report_error(head + "AGE 1 AGE 1"), "AGE is given twice");
  EXPECT_EQ(report_error(head + "NEAR 1 2 AGE 4 5"), "NEAR takes integers from 0 to 2^63-1");
  EXPECT_EQ(report_error(head + "SAMPLE 0"), "SAMPLE must be at least 1");
  EXPECT_EQ(report_error(head + "TOTALS 4 5"), "TOTALS: dropped are more than recorded");
}

TEST(Report, EscapesHostileOptionNamesInErrors) {
  const std::string name = "\r\n-\x1b" + std::string(100'000, '\xff');
  const std::string error = report_error(Words{"shop", "p", "1", "1", "0", name});
  EXPECT_TRUE(error.starts_with("unknown option '\\r\\n-\\x1b\\xff")) << error;
  EXPECT_LT(error.size(), 120U);
}

TEST(Report, KeepsHostileKeysWhole) {
  const auto keys = hostile_keys();
  Report report = sample_report();
  report.rows.clear();
  for (const std::string& key : keys) report.rows.push_back({.key = key, .reads = 1});
  const std::string bytes = encode(report);
  const Report read = decoded(arguments_of(bytes));
  ASSERT_EQ(read.rows.size(), keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(read.rows[i].key, keys[i]);
}

TEST(Report, RoundTripsRandomReports) {
  Random random(7);
  const auto number = [&] { return random.next() >> (1 + random.below(63)); };
  for (int round = 0; round < 500; ++round) {
    Report report;
    report.ns = "shop";
    report.producer = "p";
    report.epoch = number();
    report.seq = number() | 1;
    report.age_ms = number();
    report.sample = number() | 1;
    for (std::uint32_t rows = random.below(20); rows > 0; --rows) {
      const std::uint64_t reads = number();
      report.rows.push_back({.key = "key",
                             .reads = reads,
                             .writes = number(),
                             .misses = reads / 2,
                             .local_hits = reads,
                             .bytes = number()});
    }
    if (random.below(2) == 0) report.totals = ReportTotals{.recorded = kLargest, .dropped = number()};
    if (random.below(2) == 0)
      report.near = NearCacheFigures{number(), number(), number(), number(), number()};
    const std::string bytes = encode(report);
    EXPECT_EQ(encode(decoded(arguments_of(bytes))), bytes);
  }
}

TEST(Report, ReusesItsRows) {
  Report report;
  const Words three = split("shop p 1 1 3 a 1 2 0 0 0 b 1 0 0 0 0 c 1 0 0 0 0");
  ASSERT_TRUE(decode_report(three, report));
  const ReportRow* rows = report.rows.data();
  const Words one = split("shop p 1 2 1 z 3 4 1 2 5");
  ASSERT_TRUE(decode_report(one, report));
  EXPECT_EQ(report.rows.data(), rows);
  ASSERT_EQ(report.rows.size(), 1U);
  EXPECT_EQ(report.rows[0].key.data(), one[5].data());
  EXPECT_EQ(report.rows[0].writes, 4U);
}

}  // namespace
}  // namespace hotkeyd
