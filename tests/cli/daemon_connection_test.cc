#include "cli/daemon_connection.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

// Accepts one connection, sends what it was given, and closes when it is destroyed or told to.
class CannedServer {
 public:
  explicit CannedServer(std::string bytes, bool closes = false) {
    char folder[] = "/tmp/hotkeyctl-test.XXXXXX";
    folder_ = mkdtemp(folder);
    path_ = folder_ + "/s";
    listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path_.data(), path_.size());
    EXPECT_EQ(bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(listener_, 1), 0);
    thread_ = std::thread([this, bytes = std::move(bytes), closes] { serve(bytes, closes); });
  }
  ~CannedServer() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    if (peer_ >= 0) close(peer_);
    close(listener_);
    std::filesystem::remove_all(folder_);
  }

  Endpoint endpoint() const { return *parse_endpoint("unix://" + path_, "unix"); }

 private:
  void serve(const std::string& bytes, bool closes) {
    peer_ = accept(listener_, nullptr, nullptr);
    if (peer_ < 0) return;
    EXPECT_EQ(send(peer_, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
    if (closes) shutdown(peer_, SHUT_WR);
  }

  std::string folder_;
  std::string path_;
  int listener_ = -1;
  int peer_ = -1;
  std::thread thread_;
};

constexpr std::string_view kHello = "%1\r\n+proto\r\n:3\r\n";

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
