#include "sources/parse_csv.h"

#include <gmock/gmock.h>

#include <string>

#include "sources/read_unix_time.h"

namespace hotkeyd {
namespace {

void expect(std::string_view text, const ParsedAccess& expected) {
  CsvParser parser;
  const auto access = parser.parse({text});
  ASSERT_TRUE(access) << text << ": " << access.error();
  EXPECT_EQ(*access, expected) << text;
}

std::string error_of(std::string_view text) {
  CsvParser parser;
  const auto access = parser.parse({text});
  return access ? "none" : access.error();
}

constexpr UnixUs kTime = 1'700'000'000'250'000;

TEST(ParseCsv, ReadsTwoToFourFields) {
  expect("1700000000.25,user:42", {kTime, "user:42", AccessKind::read, 0});
  expect("1700000000.25,user:42,GET,148", {kTime, "user:42", AccessKind::read, 148});
  expect("1700000000.25,user:42,,", {kTime, "user:42", AccessKind::read, 0});
  expect("1700000000,,write", {1'700'000'000'000'000, "", AccessKind::write, 0});
}

TEST(ParseCsv, TakesOpsAndCommandsInAnyCase) {
  expect("1,k,Read", {1'000'000, "k", AccessKind::read, 0});
  expect("1,k,MISS", {1'000'000, "k", AccessKind::miss, 0});
  expect("1,k,hset", {1'000'000, "k", AccessKind::write, 0});
  expect("1,k,\"mget\"", {1'000'000, "k", AccessKind::read, 0});
}

TEST(ParseCsv, UnquotesAsRfc4180Says) {
  expect("1,\"a \"\"b\"\", c\",get", {1'000'000, "a \"b\", c", AccessKind::read, 0});
  expect("1,\"\"\"\"", {1'000'000, "\"", AccessKind::read, 0});
  expect("1,\"\"", {1'000'000, "", AccessKind::read, 0});
  expect("\"1\",\"a\nb\"", {1'000'000, "a\nb", AccessKind::read, 0});
  expect("1,a\"\"b", {1'000'000, "a\"\"b", AccessKind::read, 0});
}

TEST(ParseCsv, SaysWhyARecordIsBad) {
  EXPECT_EQ(error_of(""), "fewer than the two fields time,key");
  EXPECT_EQ(error_of("1"), "fewer than the two fields time,key");
  EXPECT_EQ(error_of("1,k,get,5,"), "more than the four fields time,key,op,bytes");
  EXPECT_EQ(error_of("1,\"k"), "a quote is not closed, or not followed by a comma");
  EXPECT_EQ(error_of("1,\"k\"x"), "a quote is not closed, or not followed by a comma");
  EXPECT_EQ(error_of("time,key,op"), "the time (first field) is no number of Unix seconds");
  EXPECT_EQ(error_of("1,k,ping"),
            "the op (third field) is none of read, write, miss and no command with a key");
  EXPECT_EQ(error_of("1,k,get,-5"), "the bytes (fourth field) are no number");
  CsvParser parser;
  EXPECT_EQ(parser.parse({"1,k", 1, 5}).error(), "it is too long for a record of a trace");
}

TEST(ReadUnixTime, TakesSecondsWithAFraction) {
  EXPECT_EQ(read_unix_time("0"), 0);
  EXPECT_EQ(read_unix_time("1700000000.5"), 1'700'000'000'500'000);
  EXPECT_EQ(read_unix_time("1700000000.0000019999"), 1'700'000'000'000'001);
  EXPECT_EQ(read_unix_time("100000000000"), 100'000'000'000'000'000);
}

TEST(ReadUnixTime, RefusesEverythingElse) {
  for (const std::string text : {"", ".5", "5.", "-1", "+1", "1e9", "1 ", " 1", "1.2.3", "0x1",
                                 "100000000001", "99999999999999999999999999"}) {
    EXPECT_EQ(read_unix_time(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace hotkeyd
