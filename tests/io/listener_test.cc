#include "io/listener.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "io/file_descriptor.h"
#include "tests/support/temp_folder.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

Endpoint endpoint(const std::string& url) { return *parse_endpoint(url, "unix tcp"); }

ListenerOptions on(const std::string& url) { return {endpoint(url), 0600, std::nullopt}; }

// Runs the loop until `done`; false when a generous time has passed.
bool run_until(asio::io_context& io, const std::function<bool()>& done) {
  const Time deadline = Clock::now() + 10s;
  while (!done() && Clock::now() < deadline) {
    io.restart();
    io.run_one_for(100ms);
  }
  return done();
}

asio::local::stream_protocol::socket connect_unix(asio::io_context& io, const std::string& path) {
  asio::local::stream_protocol::socket out(io);
  out.connect(asio::local::stream_protocol::endpoint(path));
  return out;
}

TEST(Listener, HandsOverUnixConnections) {
  const TempFolder folder;
  asio::io_context io;
  auto listener = Listener::open(io, on("unix://" + folder.file("s")));
  ASSERT_TRUE(listener) << listener.error();
  std::vector<StreamSocket> accepted;
  (*listener)->start([&](StreamSocket socket) { accepted.push_back(std::move(socket)); });
  const auto one = connect_unix(io, folder.file("s"));
  const auto two = connect_unix(io, folder.file("s"));
  EXPECT_TRUE(run_until(io, [&] { return accepted.size() == 2; }));
  EXPECT_TRUE((*listener)->is_unix());
  EXPECT_TRUE(accepted[0].non_blocking());
}

TEST(Listener, ShowsThePortThatZeroBecame) {
  asio::io_context io;
  auto listener = Listener::open(io, on("tcp://127.0.0.1:0"));
  ASSERT_TRUE(listener) << listener.error();
  const Endpoint bound = endpoint((*listener)->address());
  EXPECT_NE(bound.port, 0);
  std::optional<StreamSocket> accepted;
  (*listener)->start([&](StreamSocket socket) { accepted = std::move(socket); });
  asio::ip::tcp::socket client(io);
  client.connect({asio::ip::make_address("127.0.0.1"), bound.port});
  EXPECT_TRUE(run_until(io, [&] { return accepted.has_value(); }));
}

TEST(Listener, NamesThePortThatIsInUse) {
  asio::io_context io;
  auto first = Listener::open(io, on("tcp://127.0.0.1:0"));
  ASSERT_TRUE(first);
  const std::string address = (*first)->address();
  const auto second = Listener::open(io, on(address));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error(), address + ": Address already in use");
}

TEST(Listener, RemovesItsSocketFileAndAcceptsNobodyWhenStopped) {
  const TempFolder folder;
  asio::io_context io;
  auto listener = Listener::open(io, on("unix://" + folder.file("s")));
  ASSERT_TRUE(listener);
  (*listener)->start([](StreamSocket) { FAIL() << "accepted after the stop"; });
  (*listener)->stop();
  EXPECT_FALSE(std::filesystem::exists(folder.file("s")));
  io.run();  // Ends: nothing is left to wait for.
}

// Without descriptors a naive loop spins or never accepts again.
TEST(Listener, GoesOnAfterDescriptorsWereUsedUp) {
  const TempFolder folder;
  asio::io_context io;
  auto listener = Listener::open(io, on("unix://" + folder.file("s")));
  ASSERT_TRUE(listener);
  std::vector<StreamSocket> accepted;
  (*listener)->start([&](StreamSocket socket) { accepted.push_back(std::move(socket)); });
  const auto client = connect_unix(io, folder.file("s"));

  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const FileDescriptor highest(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const rlimit none_left{static_cast<rlim_t>(highest.get()), before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &none_left);
  const bool failed = run_until(io, [&] { return (*listener)->accept_errors() >= 2; });
  for (int i = 0; i < 100; ++i) io.poll_one();  // A loop that does not pause fails at each of them.
  const std::uint64_t errors = (*listener)->accept_errors();
  ::setrlimit(RLIMIT_NOFILE, &before);

  EXPECT_TRUE(failed);
  EXPECT_LE(errors, 3U);
  EXPECT_TRUE(accepted.empty());
  EXPECT_TRUE(run_until(io, [&] { return accepted.size() == 1; }));
}

}  // namespace
}  // namespace hotkeyd
