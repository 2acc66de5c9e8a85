#include "resp/reply_parser.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"

namespace hotkeyd {
namespace {

using Kind = RespValue::Kind;

RespValue text(Kind kind, std::string bytes) { return {kind, std::move(bytes), 0, {}}; }
RespValue integer(std::int64_t number) { return {Kind::integer, "", number, {}}; }
RespValue items(Kind kind, std::vector<RespValue> values) { return {kind, "", 0, std::move(values)}; }

struct Replies {
  std::vector<RespValue> values;
  std::string error;
  bool operator==(const Replies&) const = default;
};

void take_all(ReplyParser& parser, Replies& replies) {
  while (true) {
    auto value = parser.next();
    if (!value) replies.error = value.error();
    if (!value || !*value) return;
    replies.values.push_back(std::move(**value));
  }
}

Replies read(std::string_view stream, std::size_t piece = std::string::npos, ReplyLimits limits = {}) {
  ReplyParser parser(limits);
  Replies replies;
  while (!stream.empty() && replies.error.empty()) {
    parser.feed(stream.substr(0, piece));
    stream.remove_prefix(std::min(piece, stream.size()));
    take_all(parser, replies);
  }
  return replies;
}

constexpr std::string_view kEverything =
    "+OK\r\n-ERR no\r\n:-7\r\n:+7\r\n$4\r\na\r\nb\r\n$0\r\n\r\n$-1\r\n*-1\r\n_\r\n*0\r\n"
    "*2\r\n:1\r\n*2\r\n+a\r\n$1\r\nb\r\n%1\r\n+k\r\n:1\r\n~1\r\n:1\r\n>2\r\n+message\r\n+x\r\n"
    "#t\r\n#f\r\n,1.5e3\r\n(12345678901234567890\r\n=6\r\ntxt:hi\r\n!5\r\nERR x\r\n"
    "|1\r\n+ttl\r\n:3\r\n*2\r\n|0\r\n:1\r\n|1\r\n+a\r\n+b\r\n:2\r\n";

TEST(ReplyParser, ReadsEveryType) {
  const std::vector<RespValue> expected = {
      text(Kind::simple, "OK"),
      text(Kind::error, "ERR no"),
      integer(-7),
      integer(7),
      text(Kind::bulk, "a\r\nb"),
      text(Kind::bulk, ""),
      text(Kind::null, ""),
      text(Kind::null, ""),
      text(Kind::null, ""),
      items(Kind::array, {}),
      items(Kind::array, {integer(1), items(Kind::array, {text(Kind::simple, "a"), text(Kind::bulk, "b")})}),
      items(Kind::map, {text(Kind::simple, "k"), integer(1)}),
      items(Kind::array, {integer(1)}),
      items(Kind::push, {text(Kind::simple, "message"), text(Kind::simple, "x")}),
      {Kind::boolean, "", 1, {}},
      {Kind::boolean, "", 0, {}},
      text(Kind::number, "1.5e3"),
      text(Kind::number, "12345678901234567890"),
      text(Kind::bulk, "hi"),
      text(Kind::error, "ERR x"),
      items(Kind::array, {integer(1), integer(2)})};
  EXPECT_EQ(read(kEverything), (Replies{expected, ""}));
}

TEST(ReplyParser, ReadsTheSameInPiecesOfEverySize) {
  const Replies whole = read(kEverything);
  for (std::size_t piece = 1; piece < kEverything.size(); ++piece)
    EXPECT_EQ(read(kEverything, piece), whole) << piece;
}

TEST(ReplyParser, RefusesWhatIsNotAReply) {
  for (const std::string_view stream : {"\r\n",
                                        "x\r\n",
                                        "OK\r\n",
                                        "+OK\n",
                                        "\n",
                                        "$x\r\n",
                                        "$-2\r\n",
                                        "$?\r\n",
                                        "*?\r\n",
                                        "*-2\r\n",
                                        "!-1\r\n",
                                        "%-1\r\n",
                                        ":\r\n",
                                        ":1x\r\n",
                                        ":99999999999999999999\r\n",
                                        "$1\r\nab\r\n",
                                        "#x\r\n",
                                        "_x\r\n",
                                        ",\r\n",
                                        "=3\r\nabc\r\n",
                                        "=5\r\nabcde\r\n",
                                        "*1\r\n>1\r\n:1\r\n",
                                        ".\r\n",
                                        "$01\r\na\r\n"}) {
    const Replies replies = read(stream);
    EXPECT_TRUE(replies.values.empty()) << stream;
    EXPECT_TRUE(replies.error.starts_with("broken reply: ")) << stream << " gave " << replies.error;
  }
}

TEST(ReplyParser, StaysBroken) {
  ReplyParser parser;
  parser.feed("x\r\n");
  EXPECT_FALSE(parser.next());
  parser.feed("+OK\r\n");
  EXPECT_FALSE(parser.next());
}

TEST(ReplyParser, GivesTheValuesBeforeTheBreak) {
  EXPECT_EQ(read("+OK\r\nx\r\n"), (Replies{{text(Kind::simple, "OK")}, "broken reply: unknown type 'x'"}));
}

TEST(ReplyParser, RefusesWhatNestsTooDeeply) {
  const auto nested = [](std::size_t depth) {
    std::string stream;
    for (std::size_t i = 0; i < depth; ++i) stream += "*1\r\n";
    return stream + ":1\r\n";
  };
  EXPECT_EQ(read(nested(16)).error, "");
  EXPECT_EQ(read(nested(17)).error, "broken reply: nested too deeply");
  EXPECT_EQ(read(nested(100'000)).error, "broken reply: nested too deeply");
}

TEST(ReplyParser, RefusesTooManyItemsAtTheirHeader) {
  const ReplyLimits limits{.items_max = 3};
  EXPECT_EQ(read("*2\r\n:1\r\n:2\r\n*2\r\n:1\r\n:2\r\n", 4, limits).values.size(), 2U);
  EXPECT_EQ(read("*4\r\n", 4, limits).error, "broken reply: too many items");
  EXPECT_EQ(read("*2\r\n:1\r\n*1\r\n:2\r\n", 4, limits).error, "broken reply: too many items");
  EXPECT_EQ(read("*9223372036854775807\r\n").error, "broken reply: too many items");
}

TEST(ReplyParser, RefusesWhatIsTooLargeBeforeItArrives) {
  const ReplyLimits limits{.bytes_max = 20};
  EXPECT_EQ(read("$13\r\n0123456789012\r\n", 1, limits).error, "");
  EXPECT_EQ(read("$14\r\n", 1, limits).error, "broken reply: too large");
  EXPECT_EQ(read("+" + std::string(30, 'x'), 1, limits).error, "broken reply: too large");
  EXPECT_EQ(read("*2\r\n$4\r\nabcd\r\n$4\r\n", 1, limits).error, "broken reply: too large");
  EXPECT_EQ(read("$9223372036854775807\r\n").error, "broken reply: too large");
}

TEST(ReplyParser, CountsBytesAndItemsOfOneValueOnly) {
  std::string stream;
  for (int i = 0; i < 100; ++i) stream += "*1\r\n+0123456789\r\n";
  EXPECT_EQ(read(stream, 7, {.bytes_max = 20, .items_max = 2}).values.size(), 100U);
}

TEST(ReplyParser, ForgetsWhatItHasReadOfALongStream) {
  const std::string bulk = "$40000\r\n" + std::string(40'000, 'x') + "\r\n";
  ReplyParser parser;
  for (int i = 0; i < 50; ++i) {
    parser.feed(bulk);
    parser.feed(":1\r\n*2\r\n:5");
    parser.feed("\r\n:6\r\n");
    Replies replies;
    take_all(parser, replies);
    EXPECT_EQ(replies.error, "");
    EXPECT_EQ(replies.values.size(), 3U);
  }
}

TEST(ReplyParser, SurvivesRandomBytes) {
  Random random(7);
  static const std::vector<std::string> words = {"*2\r\n", "%1\r\n", ">1\r\n", "|1\r\n", "$1\r\n",
                                                 "a\r\n",  ":1\r\n", "+",      "\r\n",   "$-1\r\n",
                                                 "_\r\n",  "#t\r\n", "x",      "=5\r\n", "txt:a\r\n"};
  for (int round = 0; round < 5000; ++round) {
    std::string stream;
    for (std::uint32_t n = random.below(30); n > 0; --n) {
      stream += words[random.below(static_cast<std::uint32_t>(words.size()))];
    }
    ASSERT_EQ(read(stream, 1 + random.below(5)), read(stream)) << stream;
  }
}

}  // namespace
}  // namespace hotkeyd
