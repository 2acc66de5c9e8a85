#include "resp/writer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace hotkeyd {
namespace {

std::string written(RespVersion version, const std::function<void(RespWriter&)>& write) {
  std::string out;
  RespWriter writer(out, version);
  write(writer);
  return out;
}

void write_everything(RespWriter& writer) {
  writer.simple("OK");
  writer.error("ERR no");
  writer.integer(-7);
  writer.bulk("a\r\nb");
  writer.bulk("");
  writer.null();
  writer.array(3);
  writer.map(2);
  writer.push(3);
  writer.boolean(true);
  writer.boolean(false);
}

TEST(RespWriter, WritesResp2) {
  EXPECT_EQ(written(RespVersion::resp2, write_everything),
            "+OK\r\n-ERR no\r\n:-7\r\n$4\r\na\r\nb\r\n$0\r\n\r\n$-1\r\n*3\r\n*4\r\n*3\r\n:1\r\n:0\r\n");
}

TEST(RespWriter, WritesResp3) {
  EXPECT_EQ(written(RespVersion::resp3, write_everything),
            "+OK\r\n-ERR no\r\n:-7\r\n$4\r\na\r\nb\r\n$0\r\n\r\n_\r\n*3\r\n%2\r\n>3\r\n#t\r\n#f\r\n");
}

TEST(RespWriter, WritesTheSmallestAndLargestInteger) {
  const auto write = [](RespWriter& writer) {
    writer.integer(std::numeric_limits<std::int64_t>::min());
    writer.integer(std::numeric_limits<std::int64_t>::max());
  };
  EXPECT_EQ(written(RespVersion::resp2, write), ":-9223372036854775808\r\n:9223372036854775807\r\n");
}

TEST(RespWriter, LetsNoErrorForgeAReply) {
  const auto write = [](RespWriter& writer) {
    writer.error("ERR unknown command 'a\r\n+OK\r\n\t\x7f\x1b[2J'");
  };
  EXPECT_EQ(written(RespVersion::resp2, write), "-ERR unknown command 'a  +OK     [2J'\r\n");
}

TEST(RespWriter, LeavesEarlierRepliesAloneWhenItWritesAnError) {
  const auto write = [](RespWriter& writer) {
    writer.bulk("x");
    writer.error("ERR no");
  };
  EXPECT_EQ(written(RespVersion::resp2, write), "$1\r\nx\r\n-ERR no\r\n");
}

TEST(AppendCommand, WritesAnArrayOfBulks) {
  std::string out = "+";
  append_command(out, {"ECHO", "a\r\nb", ""});
  EXPECT_EQ(out, "+*3\r\n$4\r\nECHO\r\n$4\r\na\r\nb\r\n$0\r\n\r\n");
}

}  // namespace
}  // namespace hotkeyd
