#include "resp/request_parser.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/resp/request_reader.h"

namespace hotkeyd {
namespace {

using namespace std::string_literals;

TEST(RequestParser, ReadsArraysOfBulks) {
  EXPECT_EQ(read_whole("*2\r\n$3\r\nGET\r\n$5\r\na\r\nb \r\n*1\r\n$4\r\nPING\r\n"),
            (Requests{{{"GET", "a\r\nb "}, {"PING"}}, ""}));
}

TEST(RequestParser, ReadsInlineCommandsBesideArrays) {
  EXPECT_EQ(read_whole("PING\r\n*1\r\n$4\r\nPING\r\n  GET \t k  \r\n"),
            (Requests{{{"PING"}, {"PING"}, {"GET", "k"}}, ""}));
}

TEST(RequestParser, TakesLinesThatEndWithLfOnlyWhenInline) {
  EXPECT_EQ(read_whole("PING\nPING\n"), (Requests{{{"PING"}, {"PING"}}, ""}));
  EXPECT_EQ(read_whole("*1\n$4\nPING\n"), (Requests{{}, ""}));
}

TEST(RequestParser, SkipsEmptyRequestsSilently) {
  EXPECT_EQ(read_whole("*0\r\n*-1\r\n\r\n\n   \r\n*-77\r\nPING\r\n"), (Requests{{{"PING"}}, ""}));
}

TEST(RequestParser, TellsWhatItSkippedWhileIncomplete) {
  RequestParser parser;
  const auto outcome = parser.parse("\r\n*0\r\n*1\r\n$4");
  EXPECT_EQ(outcome.status, RequestParser::Status::incomplete);
  EXPECT_EQ(outcome.consumed, 6U);
}

TEST(RequestParser, CountsSkippedRequestsAsConsumedByTheNext) {
  RequestParser parser;
  const auto outcome = parser.parse("\r\n*0\r\n*1\r\n$4\r\nPING\r\n*1");
  EXPECT_EQ(outcome.status, RequestParser::Status::request);
  EXPECT_EQ(outcome.consumed, 20U);
}

TEST(RequestParser, PointsIntoTheBuffer) {
  const std::string buffer = "*1\r\n$4\r\nPING\r\n";
  RequestParser parser;
  parser.parse(buffer);
  ASSERT_EQ(parser.arguments().size(), 1U);
  EXPECT_EQ(parser.arguments()[0].data(), buffer.data() + 8);
}

TEST(RequestParser, TakesAnyTwoBytesBehindABulkAndAnyOneBehindCr) {
  EXPECT_EQ(read_whole("*2\r\n$3\r\nGETxy$1\r\nkzz*1\rX$4\rYPING\r\n"),
            (Requests{{{"GET", "k"}, {"PING"}}, ""}));
}

TEST(RequestParser, TakesEmptyArguments) {
  EXPECT_EQ(read_whole("*2\r\n$0\r\n\r\n$0\r\n\r\n"), (Requests{{{"", ""}}, ""}));
  EXPECT_EQ(read_whole("\"\" ''\r\n"), (Requests{{{"", ""}}, ""}));
}

TEST(RequestParser, TakesResp3TypesForInlineNames) {
  EXPECT_EQ(read_whole("%1\r\n$3\r\nGET\r\n"), (Requests{{{"%1"}, {"$3"}, {"GET"}}, ""}));
}

TEST(RequestParser, NeverEndsAnInlineLineThatHoldsNul) {
  EXPECT_EQ(read_whole("PI\0NG\r\nPING\r\n"s), (Requests{{}, ""}));
  EXPECT_EQ(read_whole("PI\0NG\r\n"s + std::string(65'536, 'x')), (Requests{{}, "too big inline request"}));
}

struct Refusal {
  std::string stream;
  std::string error;
};

TEST(RequestParser, RefusesWhatServersRefuseInTheirWords) {
  const std::vector<Refusal> refusals = {
      {"*01\r\n$4\r\nPING\r\n", "invalid multibulk length"},
      {"*abc\r\n", "invalid multibulk length"},
      {"*\r\n", "invalid multibulk length"},
      {"*+1\r\n", "invalid multibulk length"},
      {"*-0\r\n", "invalid multibulk length"},
      {"* 1\r\n", "invalid multibulk length"},
      {"*1 \r\n", "invalid multibulk length"},
      {"*1\0\r\n"s, "invalid multibulk length"},
      {"*1048577\r\n", "invalid multibulk length"},
      {"*9223372036854775808\r\n", "invalid multibulk length"},
      {"*1\r\n$+4\r\nPING\r\n", "invalid bulk length"},
      {"*1\r\n$04\r\nPING\r\n", "invalid bulk length"},
      {"*1\r\n$00\r\n\r\n", "invalid bulk length"},
      {"*1\r\n$-1\r\n", "invalid bulk length"},
      {"*1\r\n$-0\r\n", "invalid bulk length"},
      {"*1\r\n$x\r\n", "invalid bulk length"},
      {"*1\r\n$4x\r\nPING\r\n", "invalid bulk length"},
      {"*1\r\n$\r\n\r\n", "invalid bulk length"},
      {"*1\r\n$99999999999\r\n", "invalid bulk length"},
      {"*1\r\n$9223372036854775807\r\n", "invalid bulk length"},
      {"*1\r\n$18446744073709551616\r\n", "invalid bulk length"},
      {"*1\r\n:1\r\n", "expected '$', got ':'"},
      {"*1\r\n*1\r\n$4\r\nPING\r\n", "expected '$', got '*'"},
      {"*2\r\n$4\r\nPING\r\n\r\n", "expected '$', got '\r'"},
      {"ECHO \"abc\r\n", "unbalanced quotes in request"},
      {"ECHO \"a\"b\r\n", "unbalanced quotes in request"},
  };
  for (const auto& [stream, error] : refusals) EXPECT_EQ(read_whole(stream), (Requests{{}, error})) << stream;
}

TEST(RequestParser, AnswersTheRequestsBeforeTheError) {
  EXPECT_EQ(read_whole("PING\r\n*x\r\nPING\r\n"), (Requests{{{"PING"}}, "invalid multibulk length"}));
}

TEST(RequestParser, RefusesMoreArgumentsThanTheLimit) {
  const RequestLimits limits{.frame_max = 1000, .arguments_max = 2};
  EXPECT_EQ(read_whole("*2\r\n$1\r\na\r\n$1\r\nb\r\na b\r\n", limits),
            (Requests{{{"a", "b"}, {"a", "b"}}, ""}));
  EXPECT_EQ(read_whole("*3\r\n", limits), (Requests{{}, "invalid multibulk length"}));
  EXPECT_EQ(read_whole("a b c\r\n", limits), (Requests{{}, "too big inline request"}));
}

TEST(RequestParser, TakesAFrameOfExactlyTheLimit) {
  const std::string frame = "*1\r\n$5\r\nhello\r\n";
  EXPECT_EQ(read_whole(frame, {.frame_max = frame.size()}), (Requests{{{"hello"}}, ""}));
  EXPECT_EQ(read_whole(frame, {.frame_max = frame.size() - 1}), (Requests{{}, "too big request"}));
}

TEST(RequestParser, CountsTheEndOfAHeaderToItsFrame) {
  EXPECT_EQ(read_whole("*0\r\nPING", {.frame_max = 8}), (Requests{{}, ""}));
  EXPECT_EQ(read_whole("*0\r\n", {.frame_max = 3}), (Requests{{}, "too big mbulk count string"}));
}

TEST(RequestParser, RefusesAFrameOverTheLimitAtItsHeader) {
  EXPECT_EQ(read_whole("*1\r\n$101\r\n", {.frame_max = 100}), (Requests{{}, "invalid bulk length"}));
  EXPECT_EQ(read_whole("*2\r\n$60\r\n" + std::string(62, 'x') + "$60\r\n", {.frame_max = 100}),
            (Requests{{}, "too big request"}));
}

TEST(RequestParser, HoldsAtMostTheLimitWhileIncomplete) {
  const std::vector<std::string> endless = {
      "*9\r\n" + std::string(500, '$'),  std::string(500, '*'),          std::string(500, 'x'),
      "*9\r\n$" + std::string(500, '1'), "\0"s + std::string(500, '\n'), "*99\r\n" + std::string(500, '$')};
  for (const auto& stream : endless) {
    RequestReader reader({.frame_max = 100, .arguments_max = 1000});
    for (const char byte : stream) {
      reader.feed(std::string_view(&byte, 1));
      if (!reader.read().error.empty()) break;
      EXPECT_LE(reader.pending().size(), 100U) << stream;
    }
    EXPECT_FALSE(reader.read().error.empty()) << stream;
  }
}

TEST(RequestParser, RefusesLinesOver64KiB) {
  const std::string digits(65'536, '1');
  EXPECT_EQ(read_whole("*" + digits), (Requests{{}, "too big mbulk count string"}));
  EXPECT_EQ(read_whole("*1\r\n$" + digits), (Requests{{}, "too big bulk count string"}));
  EXPECT_EQ(read_whole(digits), (Requests{{}, "too big inline request"}));
  EXPECT_EQ(read_whole(digits.substr(1) + "\n"), (Requests{{{digits.substr(1)}}, ""}));
}

TEST(RequestParser, TakesNewLimitsBetweenRequests) {
  RequestReader reader({.frame_max = 30, .arguments_max = 1});
  reader.feed("*1\r\n$4\r\nPING\r\n");
  reader.parser().set_limits({.frame_max = 100, .arguments_max = 2});
  reader.feed("*2\r\n$4\r\nECHO\r\n$2\r\nhi\r\n");
  EXPECT_EQ(reader.read(), (Requests{{{"PING"}, {"ECHO", "hi"}}, ""}));
}

}  // namespace
}  // namespace hotkeyd
