#include "cli/daemon_connection.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/cli/canned_server.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

TEST(DaemonConnection, NamesTheSocketAndTheCauseWhenNobodyIsThere) {
  const auto opened = DaemonConnection::open(*parse_endpoint("unix:///nowhere/nobody.sock", "unix"));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error(), "no daemon at unix:///nowhere/nobody.sock: No such file or directory");
}

TEST(DaemonConnection, KeepsPasswordsOutOfItsErrors) {
  const auto opened = DaemonConnection::open(*parse_endpoint("tcp://app:secret@127.0.0.1:1", "tcp"));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error(), "no daemon at tcp://app:***@127.0.0.1:1: Connection refused");
}

TEST(DaemonConnection, KeepsPushesForLaterWhileItWaitsForAReply) {
  const CannedServer server(std::string(kHello) + ">2\r\n+message\r\n+x\r\n+PONG\r\n-ERR no\r\n");
  auto daemon = DaemonConnection::open(server.endpoint());
  ASSERT_TRUE(daemon) << daemon.error();
  EXPECT_EQ(daemon->call({"PING"})->text, "PONG");
  EXPECT_TRUE(daemon->call({"X"})->is_error());
  const auto push = daemon->receive(0ms);
  ASSERT_TRUE(push);
  ASSERT_TRUE(*push);
  EXPECT_EQ((*push)->kind, RespValue::Kind::push);
  EXPECT_FALSE(*daemon->receive(0ms));
}

TEST(DaemonConnection, GivesUpOnADaemonThatDoesNotAnswer) {
  const CannedServer server{std::string(kHello)};
  auto daemon = DaemonConnection::open(server.endpoint(), 400ms);
  ASSERT_TRUE(daemon) << daemon.error();
  const auto reply = daemon->call({"PING"});
  ASSERT_FALSE(reply);
  EXPECT_TRUE(reply.error().ends_with("/s: no answer within 400 ms")) << reply.error();
}

TEST(DaemonConnection, SaysThatTheDaemonClosed) {
  const CannedServer server(std::string(kHello), true);
  auto daemon = DaemonConnection::open(server.endpoint());
  ASSERT_TRUE(daemon) << daemon.error();
  const auto value = daemon->receive(5s);
  ASSERT_FALSE(value);
  EXPECT_TRUE(value.error().ends_with("/s: it closed the connection")) << value.error();
}

TEST(DaemonConnection, SaysThatItIsNoDaemonWhatItTalksTo) {
  const CannedServer server("HTTP/1.1 400 Bad Request\r\n");
  const auto daemon = DaemonConnection::open(server.endpoint());
  ASSERT_FALSE(daemon);
  EXPECT_NE(daemon.error().find("broken reply: unknown type 'H'"), std::string::npos) << daemon.error();
}

}  // namespace
}  // namespace hotkeyd
