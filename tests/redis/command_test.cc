#include "redis/command.h"

#include <gtest/gtest.h>

namespace hotkeyd {
namespace {

TEST(RedisCommand, IsWrittenAsAnArrayOfBulksWhateverItsBytes) {
  std::string out = "+";
  append_redis_command(out, {"SET", std::string("k\0\r\n", 4), ""});
  EXPECT_EQ(out, std::string("+*3\r\n$3\r\nSET\r\n$4\r\nk\0\r\n\r\n$0\r\n\r\n", 30));
}

}  // namespace
}  // namespace hotkeyd
