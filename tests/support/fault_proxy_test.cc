#include "tests/support/fault_proxy.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "io/file_descriptor.h"
#include "tests/support/temp_folder.h"

namespace hotkeyd::testing {
namespace {

using namespace std::chrono_literals;

constexpr int kPatienceMs = 20'000;

Endpoint unix_endpoint(const std::string& path) {
  Endpoint out;
  out.scheme = "unix";
  out.path = path;
  return out;
}

Endpoint tcp_endpoint() {
  Endpoint out;
  out.scheme = "tcp";
  out.host = "127.0.0.1";
  return out;
}

// One end of a connection; what ends it is told as text.
class Socket {
 public:
  explicit Socket(int descriptor) : descriptor_(descriptor) {}

  void send(const std::string& bytes) const {
    ASSERT_EQ(::send(descriptor_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  // What comes until `size` bytes have come, or the end: "...", "...<end>" or "...<reset>".
  std::string read(std::size_t size) const {
    std::string out;
    while (out.size() < size) {
      std::array<char, 4096> bytes;
      const auto got = receive(bytes.data(), std::min(bytes.size(), size - out.size()));
      if (!got) return out + "<nothing>";
      if (*got < 0) return out + "<reset>";
      if (*got == 0) return out + "<end>";
      out.append(bytes.data(), static_cast<std::size_t>(*got));
    }
    return out;
  }
  std::string read_all() const { return read(1 << 30); }
  bool is_silent() const {
    pollfd polled{descriptor_.get(), POLLIN, 0};
    return ::poll(&polled, 1, 50) == 0;
  }
  void stop_sending() const { ::shutdown(descriptor_.get(), SHUT_WR); }
  int number() const { return descriptor_.get(); }

 private:
  std::optional<ssize_t> receive(char* into, std::size_t size) const {
    pollfd polled{descriptor_.get(), POLLIN, 0};
    if (::poll(&polled, 1, kPatienceMs) <= 0) return std::nullopt;
    return ::recv(descriptor_.get(), into, size, 0);
  }

  FileDescriptor descriptor_;
};

int connect_to(const Endpoint& endpoint) {
  const int out = ::socket(endpoint.is_unix() ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
  sockaddr_un local{};
  local.sun_family = AF_UNIX;
  endpoint.path.copy(local.sun_path, sizeof local.sun_path - 1);
  sockaddr_in remote{};
  remote.sin_family = AF_INET;
  remote.sin_port = htons(endpoint.port);
  remote.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* address =
      endpoint.is_unix() ? reinterpret_cast<sockaddr*>(&local) : reinterpret_cast<sockaddr*>(&remote);
  const socklen_t size = endpoint.is_unix() ? sizeof local : sizeof remote;
  EXPECT_EQ(::connect(out, address, size), 0);
  return out;
}

// A listening socket of the test.
class Server {
 public:
  explicit Server(bool is_unix, const std::string& path)
      : endpoint_(is_unix ? unix_endpoint(path) : tcp_endpoint()),
        listener_(::socket(is_unix ? AF_UNIX : AF_INET, SOCK_STREAM, 0)) {
    is_unix ? bind_unix() : bind_tcp();
    EXPECT_EQ(::listen(listener_.get(), 8), 0);
  }
  const Endpoint& endpoint() const { return endpoint_; }
  int accept() const { return ::accept(listener_.get(), nullptr, nullptr); }

 private:
  void bind_unix() {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    endpoint_.path.copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  void bind_tcp() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    endpoint_.port = ntohs(address.sin_port);
  }

  Endpoint endpoint_;
  FileDescriptor listener_;
};

// A client and a server with the proxy between them; over unix sockets and over TCP.
class FaultProxyTest : public ::testing::TestWithParam<bool> {
 protected:
  bool is_unix() const { return GetParam(); }
  Socket connect() { return Socket(connect_to(proxy_.endpoint())); }
  Socket accept() { return Socket(server_.accept()); }

  TempFolder folder_;
  Server server_{GetParam(), folder_.file("server")};
  FaultProxy proxy_{GetParam() ? unix_endpoint(folder_.file("proxy")) : tcp_endpoint(), server_.endpoint()};
};

INSTANTIATE_TEST_SUITE_P(Sockets, FaultProxyTest, ::testing::Bool(),
                         [](const auto& kind) { return kind.param ? "Unix" : "Tcp"; });

TEST_P(FaultProxyTest, HandsOnBothWaysAndTheEnd) {
  const Socket client = connect();
  const Socket server = accept();
  const std::string bytes("a\0\r\n\xff", 5);
  client.send(bytes);
  EXPECT_EQ(server.read(5), bytes);
  server.send("reply");
  EXPECT_EQ(client.read(5), "reply");
  client.send("last");
  client.stop_sending();
  EXPECT_EQ(server.read_all(), "last<end>");
  server.send("words");
  server.stop_sending();
  EXPECT_EQ(client.read_all(), "words<end>");
  EXPECT_EQ(proxy_.stats().bytes_up, 9U);
  EXPECT_EQ(proxy_.stats().bytes_down, 10U);
}

TEST_P(FaultProxyTest, StallsOneWayAndNotTheOther) {
  const Socket client = connect();
  const Socket server = accept();
  proxy_.stall(Way::up);
  client.send("question");
  server.send("push");
  EXPECT_EQ(client.read(4), "push");
  EXPECT_TRUE(server.is_silent());
  proxy_.heal();
  EXPECT_EQ(server.read(8), "question");
}

TEST_P(FaultProxyTest, HoldsOnlyABoundedAmountOfWhatStalls) {
  const Socket client = connect();
  const Socket server = accept();
  proxy_.stall(Way::up);
  const std::string piece(64 * 1024, 'x');
  std::size_t sent = 0;
  while (true) {
    const ssize_t size = ::send(client.number(), piece.data(), piece.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (size < 0) break;
    sent += static_cast<std::size_t>(size);
    ASSERT_LT(sent, 64U << 20);
  }
  client.stop_sending();
  proxy_.heal();
  EXPECT_EQ(server.read_all(), std::string(sent, 'x') + "<end>");
}

TEST_P(FaultProxyTest, DelaysAndKeepsTheOrder) {
  const Socket client = connect();
  const Socket server = accept();
  proxy_.delay(Way::down, 30ms);
  const Time before = Clock::now();
  server.send("one ");
  server.send("two");
  EXPECT_EQ(client.read(7), "one two");
  EXPECT_GE(Clock::now() - before, 30ms);
  client.send("not held");
  EXPECT_EQ(server.read(8), "not held");
}

TEST_P(FaultProxyTest, HandsOnSingleBytes) {
  const Socket client = connect();
  const Socket server = accept();
  proxy_.byte_at_a_time(Way::both);
  client.send("question");
  EXPECT_EQ(server.read(8), "question");
  server.send("answer");
  EXPECT_EQ(client.read(6), "answer");
}

TEST_P(FaultProxyTest, CutsAtTheByteOnce) {
  for (const Way way : {Way::up, Way::down}) {
    const Socket client = connect();
    const Socket server = accept();
    const Socket& from = way == Way::up ? client : server;
    proxy_.cut_after(way, 3);
    from.send("abcdef");
    EXPECT_EQ(server.read_all(), way == Way::up ? "abc<end>" : "<end>");
    const std::string seen = client.read_all();
    EXPECT_EQ(seen.substr(0, seen.find('<')), way == Way::up ? "" : "abc");
  }
  EXPECT_EQ(proxy_.stats().cut, 2U);
  const Socket client = connect();
  const Socket server = accept();
  client.send("abcdef");
  EXPECT_EQ(server.read(6), "abcdef");
}

TEST_P(FaultProxyTest, CutsByResetWhereThereIsOne) {
  const Socket client = connect();
  const Socket server = accept();
  proxy_.cut_after(Way::up, 3, CutBy::reset);
  client.send("abc");
  EXPECT_EQ(server.read_all(), "abc<end>");
  EXPECT_EQ(client.read_all(), is_unix() ? "<end>" : "<reset>");
}

TEST_P(FaultProxyTest, ResetsOneSideAndLeavesTheOtherWaiting) {
  const Socket client = connect();
  const Socket server = accept();
  client.send("x");
  ASSERT_EQ(server.read(1), "x");
  proxy_.reset(Way::up);
  EXPECT_EQ(server.read_all(), is_unix() ? "<end>" : "<reset>");
  client.send("nobody reads this");
  EXPECT_TRUE(client.is_silent());
  EXPECT_EQ(proxy_.stats().open, 1U);
  client.stop_sending();
  EXPECT_EQ(client.read_all(), "<end>");
}

TEST_P(FaultProxyTest, ResetsBothSides) {
  const Socket client = connect();
  const Socket server = accept();
  client.send("x");
  ASSERT_EQ(server.read(1), "x");
  proxy_.reset(Way::both);
  EXPECT_EQ(server.read_all(), is_unix() ? "<end>" : "<reset>");
  EXPECT_EQ(client.read_all(), is_unix() ? "<end>" : "<reset>");
}

TEST_P(FaultProxyTest, RefusesNewConnectionsOnly) {
  const Socket client = connect();
  const Socket server = accept();
  proxy_.refuse(true);
  EXPECT_NE(connect().read_all().find('<'), std::string::npos);
  client.send("still here");
  EXPECT_EQ(server.read(10), "still here");
  EXPECT_EQ(proxy_.stats().refused, 1U);
  proxy_.heal();
  const Socket other = connect();
  other.send("me too");
  EXPECT_EQ(accept().read(6), "me too");
}

TEST_P(FaultProxyTest, EndsAConnectionWhoseServerIsNotThere) {
  TempFolder folder;
  FaultProxy lost(unix_endpoint(folder.file("proxy")), unix_endpoint(folder.file("nobody")));
  EXPECT_EQ(Socket(connect_to(lost.endpoint())).read_all(), "<end>");
}

TEST_P(FaultProxyTest, TellsATapWhatTheServerGotAndSaid) {
  TempFolder folder;
  std::string up;
  std::string down;
  FaultProxy tapped(unix_endpoint(folder.file("proxy")), server_.endpoint(), [&] {
    return [&](Way way, std::string_view bytes) { (way == Way::up ? up : down) += bytes; };
  });
  tapped.cut_after(Way::up, 4);
  const Socket client(connect_to(tapped.endpoint()));
  const Socket server = accept();
  client.send("question");
  EXPECT_EQ(server.read_all(), "ques<end>");
  server.send("late");  // The client is gone.
  server.stop_sending();
  while (tapped.stats().open > 0) std::this_thread::yield();
  tapped.run([&] {
    EXPECT_EQ(up, "ques");
    EXPECT_EQ(down, "late");
  });
}

}  // namespace
}  // namespace hotkeyd::testing
