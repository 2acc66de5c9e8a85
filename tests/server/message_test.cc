#include "server/message.h"

#include <gtest/gtest.h>

namespace hotkeyd {
namespace {

TEST(Message, IsFramedAsRedisDoes) {
  Message message("hotkey:events:shop", "{}");
  EXPECT_EQ(*message.frame({false, "hotkey:events:shop"}, RespVersion::resp2),
            "*3\r\n$7\r\nmessage\r\n$18\r\nhotkey:events:shop\r\n$2\r\n{}\r\n");
  EXPECT_EQ(*message.frame({true, "hotkey:*"}, RespVersion::resp3),
            ">4\r\n$8\r\npmessage\r\n$8\r\nhotkey:*\r\n$18\r\nhotkey:events:shop\r\n$2\r\n{}\r\n");
}

TEST(Message, IsFramedOnceForAllWhoSubscribeAlike) {
  Message message("hotkey:events:shop", "{}");
  const auto first = message.frame({true, "h*"}, RespVersion::resp2);
  EXPECT_EQ(first, message.frame({true, "h*"}, RespVersion::resp2));
  EXPECT_NE(first, message.frame({true, "h*"}, RespVersion::resp3));
  EXPECT_NE(first, message.frame({true, "ho*"}, RespVersion::resp2));
}

TEST(Message, IsFramedForAnyNumberOfPatterns) {
  Message message("hotkey:events:shop", "{}");
  for (int i = 0; i < 100; ++i) {
    const std::string pattern = "*" + std::string(static_cast<std::size_t>(i), '*');
    const auto frame = message.frame({true, pattern}, RespVersion::resp2);
    EXPECT_NE(frame->find("\r\n" + pattern + "\r\n"), std::string::npos);
  }
}

}  // namespace
}  // namespace hotkeyd
