#include "redis/reply_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"

namespace hotkeyd {
namespace {

// A reply as one line: +text, -text, :1, "bulk", nil, [a b].
std::string shown(const RespValue& value) {
  switch (value.kind) {
    case RespValue::Kind::simple:
      return "+" + value.text;
    case RespValue::Kind::error:
      return "-" + value.text;
    case RespValue::Kind::integer:
      return ":" + std::to_string(value.integer);
    case RespValue::Kind::bulk:
      return '"' + value.text + '"';
    case RespValue::Kind::array:
      break;
    default:
      return "nil";
  }
  std::string text = "[";
  for (const RespValue& item : value.items) text += shown(item) + " ";
  return text + "]";
}

// What the reader makes of the bytes, `piece` at a time; the last entry is the error if there is one.
std::vector<std::string> read_all(std::string_view bytes, std::size_t piece, ReplyCaps caps = {}) {
  ReplyReader reader(caps);
  std::vector<std::string> read;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    if (auto fed = reader.feed(bytes.substr(at, piece)); !fed)
      return read.push_back("error: " + fed.error()), read;
    while (true) {
      auto reply = reader.next();
      if (!reply) return read.push_back("error: " + reply.error()), read;
      if (!*reply) break;
      read.push_back(shown(**reply));
    }
  }
  return read;
}

using Strings = std::vector<std::string>;

TEST(ReplyReader, ReadsEveryKindOfReplyHoweverTheBytesAreCut) {
  const std::string bytes =
      "+OK\r\n-ERR "
      "no\r\n:42\r\n$5\r\na\r\nbc\r\n$-1\r\n*-1\r\n*0\r\n*3\r\n:1\r\n*2\r\n$1\r\nx\r\n$0\r\n\r\n+s\r\n";
  const Strings expected = {"+OK", "-ERR no", ":42", "\"a\r\nbc\"",
                            "nil", "nil",     "[]",  "[:1 [\"x\" \"\" ] +s ]"};
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece)
    EXPECT_EQ(read_all(bytes, piece), expected) << piece;
}

TEST(ReplyReader, RefusesABulkLargerThanItsCapBeforeItComes) {
  EXPECT_EQ(read_all("$9223372036854775807\r\n", 1), Strings{"error: protocol error: a reply is too large"});
  EXPECT_EQ(read_all("$5\r\nabcde\r\n$6\r\n", 3, {.bulk_max = 5}),
            (Strings{"\"abcde\"", "error: protocol error: a reply is too large"}));
}

TEST(ReplyReader, RefusesAnArrayLargerThanItsCapBeforeItComes) {
  EXPECT_EQ(read_all("*1073741824\r\n", 4), Strings{"error: protocol error: a reply is too large"});
}

TEST(ReplyReader, CountsTheItemsOfNestedArraysTogether) {
  EXPECT_EQ(read_all("*2\r\n*2\r\n:1\r\n:2\r\n*2\r\n:1\r\n:2\r\n", 99, {.items_max = 6}),
            Strings{"[[:1 :2 ] [:1 :2 ] ]"});
  EXPECT_EQ(read_all("*2\r\n*2\r\n:1\r\n:2\r\n*2\r\n:1\r\n:2\r\n", 99, {.items_max = 5}).back().substr(0, 21),
            "error: protocol error");
}

TEST(ReplyReader, RefusesALineLongerThanItsCap) {
  EXPECT_EQ(read_all("+" + std::string(100, 'x'), 1, {.line_max = 50}),
            Strings{"error: protocol error: a line is too long"});
}

TEST(ReplyReader, RefusesALengthThatIsNoNumber) {
  for (const char* bytes : {"$x\r\n", "*1x\r\n", "$-2\r\n", "$\r\n", "*99999999999999999999\r\n"}) {
    EXPECT_EQ(read_all(bytes, 1), Strings{"error: protocol error: a length is no number"}) << bytes;
  }
}

TEST(ReplyReader, RefusesBytesThatAreNoReply) {
  EXPECT_EQ(read_all("HTTP/1.1 400 Bad Request\r\n", 99).back().substr(0, 21), "error: protocol error");
}

TEST(ReplyReader, RefusesAReplyOfTooManyBytes) {
  const std::string item = "$10\r\n0123456789\r\n";
  EXPECT_EQ(read_all("*9\r\n" + item + item + item + item, 16, {.reply_max = 60}),
            Strings{"error: protocol error: a reply is too large"});
}

// What is read before a fault may be less when more comes at once, since the caps judge all of it first.
TEST(ReplyReader, SurvivesDamagedRepliesHoweverTheyAreCut) {
  const std::string whole = "*3\r\n:1\r\n*2\r\n$1\r\nx\r\n$-1\r\n+s\r\n-ERR no\r\n$3\r\nabc\r\n*0\r\n:-7\r\n";
  const std::string alphabet = "*$:+-\r\n0123456789x";
  Random random(1);
  for (int round = 0; round < 5000; ++round) {
    std::string damaged = whole;
    for (std::uint32_t change = 0; change <= random.below(4); ++change) {
      damaged[random.below(static_cast<std::uint32_t>(damaged.size()))] =
          alphabet[random.below(static_cast<std::uint32_t>(alphabet.size()))];
    }
    const ReplyCaps caps{.line_max = 100, .bulk_max = 1000, .items_max = 100, .reply_max = 10'000};
    const Strings at_once = read_all(damaged, damaged.size(), caps);
    const Strings in_bytes = read_all(damaged, 1, caps);
    for (std::size_t at = 0; at < at_once.size() && !at_once[at].starts_with("error"); ++at) {
      ASSERT_LT(at, in_bytes.size()) << damaged;
      ASSERT_EQ(at_once[at], in_bytes[at]) << damaged;
    }
  }
}

TEST(ReplyReader, TakesBinaryBulks) {
  const std::string bytes("$4\r\n\0\r\n\xff\r\n", 10);
  EXPECT_EQ(read_all(bytes, 1), Strings{std::string("\"\0\r\n\xff\"", 6)});
}

}  // namespace
}  // namespace hotkeyd
