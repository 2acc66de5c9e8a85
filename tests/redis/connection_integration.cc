#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <string>
#include <utility>
#include <vector>

#include "io/asio.h"
#include "redis/connection.h"
#include "tests/support/redis_server.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RedisServer;
using ::testing::StartsWith;

// A connection whose callbacks are written down, and the loop that runs it.
struct Client {
  explicit Client(const Endpoint& endpoint, bool takes_messages = false) {
    RedisConnectionOptions options{.endpoint = endpoint};
    options.connect_timeout = 1s;
    options.reply_timeout = 500ms;
    options.ping_every = 100ms;
    RedisEvents events{[this] { log.push_back("ready"); },
                       [this](const RedisLost& lost) {
                         log.push_back("lost " + lost.message);
                         failure = lost.failure;
                       },
                       {}};
    if (takes_messages) events.message = [this](RespValue value) { messages.push_back(std::move(value)); };
    connection.emplace(io, options, events);
    connection->open();
  }

  template <typename Condition>
  bool run_until(const Condition& condition) {
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    while (!condition() && std::chrono::steady_clock::now() < deadline) {
      io.restart();
      io.run_for(5ms);
    }
    return condition();
  }
  bool is_lost() {
    return run_until([this] { return failure.has_value(); });
  }
  bool is_ready() {
    return run_until([this] { return connection->is_ready() || failure.has_value(); }) &&
           connection->is_ready();
  }
  std::vector<RespValue> ask(const std::vector<RedisCommand>& commands) {
    std::optional<std::vector<RespValue>> got;
    connection->send(commands, [&](std::vector<RespValue> replies) { got = std::move(replies); });
    run_until([&] { return got.has_value() || failure.has_value(); });
    return got.value_or(std::vector<RespValue>{});
  }

  asio::io_context io{1};
  std::vector<std::string> log;
  std::optional<RedisFailure> failure;
  std::vector<RespValue> messages;
  std::optional<RedisConnection> connection;
};

TEST(RedisConnection, AnswersPipelinedCommandsInOrder) {
  RedisServer redis;
  Client client(redis.endpoint());
  ASSERT_TRUE(client.is_ready());
  const auto replies = client.ask({{"SET", "k", "v"}, {"GET", "k"}, {"INCR", "k"}});
  ASSERT_EQ(replies.size(), 3U);
  EXPECT_EQ(replies[0].text, "OK");
  EXPECT_EQ(replies[1].text, "v");
  EXPECT_TRUE(replies[2].is_error());
}

TEST(RedisConnection, ReachesAUnixSocket) {
  RedisServer redis;
  Client client(redis.unix_endpoint());
  EXPECT_TRUE(client.is_ready());
}

TEST(RedisConnection, ResolvesANameAndIsNamedForOperators) {
  RedisServer redis;
  Endpoint endpoint = redis.endpoint();
  endpoint.host = "localhost";
  Client client(endpoint);
  ASSERT_TRUE(client.is_ready());
  EXPECT_EQ(client.ask({{"CLIENT", "GETNAME"}})[0].text, "hotkeyd");
}

TEST(RedisConnection, CarriesLargeCommandsAndReplies) {
  RedisServer redis;
  Client client(redis.endpoint());
  ASSERT_TRUE(client.is_ready());
  const std::string large(3 << 20, 'x');
  EXPECT_EQ(client.ask({{"ECHO", large}, {"SET", "k", large + large}, {"ECHO", large}})[2].text, large);
}

TEST(RedisConnection, SaysThatNobodyListens) {
  RedisServer redis({}, RedisServer::Start::later);
  Client client(redis.endpoint());
  ASSERT_TRUE(client.is_lost());
  EXPECT_EQ(client.log, std::vector<std::string>{"lost connection refused"});
  EXPECT_EQ(client.failure, RedisFailure::connection);
}

TEST(RedisConnection, RefusesASocketPathThatIsTooLong) {
  Endpoint endpoint;
  endpoint.path = "/" + std::string(200, 'x');
  Client client(endpoint);
  ASSERT_TRUE(client.is_lost());
  EXPECT_EQ(client.log, std::vector<std::string>{"lost the path of the socket is too long"});
}

TEST(RedisConnection, TellsAWrongPasswordAndNeverShowsIt) {
  RedisServer redis({"requirepass right"});
  for (const char* login : {"", ":wr0ng@", "nobody:wr0ng@"}) {
    Client client(redis.endpoint(login));
    ASSERT_TRUE(client.is_lost());
    EXPECT_THAT(client.log[0], ::testing::AnyOf(StartsWith("lost NOAUTH"), StartsWith("lost WRONGPASS")));
    EXPECT_THAT(client.log[0], Not(HasSubstr("wr0ng")));
    EXPECT_EQ(client.failure, RedisFailure::refused);
  }
  Client client(redis.endpoint(":right@"));
  EXPECT_TRUE(client.is_ready());
}

TEST(RedisConnection, NoticesAServerThatStopsAnswering) {
  RedisServer redis;
  Client client(redis.endpoint());
  ASSERT_TRUE(client.is_ready());
  redis.pause();
  EXPECT_TRUE(client.ask({{"GET", "k"}}).empty());
  EXPECT_EQ(client.failure, RedisFailure::timeout);
}

TEST(RedisConnection, NoticesAStoppedServerWhileItAwaitsNothing) {
  for (const bool takes_messages : {false, true}) {
    RedisServer redis;
    Client client(redis.endpoint(), takes_messages);
    ASSERT_TRUE(client.is_ready());
    redis.pause();
    ASSERT_TRUE(client.is_lost());
    EXPECT_EQ(client.failure, RedisFailure::timeout);
  }
}

TEST(RedisConnection, NoticesAStoppedServerHoweverMuchIsWritten) {
  RedisServer redis;
  Client client(redis.endpoint());
  ASSERT_TRUE(client.is_ready());
  redis.pause();
  const std::vector<RedisCommand> small{{"PING"}};
  EXPECT_TRUE(client.run_until([&] {
    client.connection->send(small, {});
    return client.failure.has_value();
  }));
  EXPECT_EQ(client.failure, RedisFailure::timeout);
}

TEST(RedisConnection, GivesUpOnAServerThatAcceptsAndSaysNothing) {
  RedisServer redis;
  redis.pause();
  Client client(redis.endpoint());
  ASSERT_TRUE(client.is_lost());
  EXPECT_EQ(client.log, std::vector<std::string>{"lost no answer within the time to connect"});
}

TEST(RedisConnection, EndsOnAServerThatSpeaksAnotherProtocol) {
  asio::io_context io{1};
  asio::ip::tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
  Endpoint endpoint;
  endpoint.host = "127.0.0.1";
  endpoint.port = acceptor.local_endpoint().port();
  Client client(endpoint);
  asio::ip::tcp::socket peer(io);
  acceptor.accept(peer);
  peer.send(asio::buffer(std::string("HTTP/1.1 400 Bad Request\r\n\r\n")));
  ASSERT_TRUE(client.is_lost());
  EXPECT_THAT(client.log[0], StartsWith("lost protocol error"));
}

TEST(RedisConnection, IsSilentAfterClose) {
  RedisServer redis;
  Client client(redis.endpoint());
  ASSERT_TRUE(client.is_ready());
  const std::vector<RedisCommand> ping{{"PING"}};
  client.connection->send(ping, [&](const std::vector<RespValue>&) { client.log.push_back("reply"); });
  client.connection->close();
  EXPECT_FALSE(client.connection->send(ping, {}));
  client.io.restart();
  client.io.run();
  EXPECT_EQ(client.log, std::vector<std::string>{"ready"});
}

TEST(RedisConnection, OpensAgainAfterALoss) {
  RedisServer redis;
  Client client(redis.endpoint());
  ASSERT_TRUE(client.is_ready());
  redis.kill();
  ASSERT_TRUE(client.is_lost());
  client.failure.reset();
  redis.start();
  client.connection->open();
  EXPECT_TRUE(client.is_ready());
}

// A server of the test's own: what the next client says, after answering it with `answer`.
std::string greeted_by(asio::ip::tcp::acceptor& acceptor, asio::ip::tcp::socket& peer, Client& client,
                       const std::string& answer) {
  std::string said;
  acceptor.accept(peer);
  peer.non_blocking(true);
  client.run_until([&] {
    std::array<char, 4096> bytes;
    error_code nothing_yet;
    const std::size_t size = peer.read_some(asio::buffer(bytes), nothing_yet);
    said.append(bytes.data(), size);
    return said.ends_with("PING\r\n");
  });
  peer.send(asio::buffer(answer));
  return said;
}

TEST(RedisConnection, EndsTheConnectionBeforeItAtTheServerToo) {
  asio::io_context io{1};
  asio::ip::tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
  Endpoint endpoint;
  endpoint.host = "127.0.0.1";
  endpoint.port = acceptor.local_endpoint().port();
  Client client(endpoint);
  asio::ip::tcp::socket first(io);
  EXPECT_THAT(greeted_by(acceptor, first, client, "+OK\r\n:42\r\n+PONG\r\n"), Not(HasSubstr("KILL")));
  ASSERT_TRUE(client.is_ready());
  const std::string port = std::to_string(first.remote_endpoint().port());
  ASSERT_TRUE(client.is_lost());

  client.failure.reset();
  client.connection->open();
  asio::ip::tcp::socket second(io);
  std::string kill;
  append_redis_command(kill, {"CLIENT", "KILL", "ID", "42", "ADDR", "127.0.0.1:" + port});
  EXPECT_THAT(greeted_by(acceptor, second, client, ":1\r\n+OK\r\n:43\r\n+PONG\r\n"), StartsWith(kill));
  EXPECT_TRUE(client.is_ready());
}

TEST(RedisConnection, HandsOverMessagesOfASubscription) {
  RedisServer redis;
  Client client(redis.endpoint(), true);
  ASSERT_TRUE(client.is_ready());
  client.connection->tell({"SUBSCRIBE", "news"});
  ASSERT_TRUE(client.run_until([&] { return !client.messages.empty(); }));
  testing::RespClient(redis.port()).command({"PUBLISH", "news", "hello"});
  const auto is_news = [](const RespValue& value) {
    return value.items.size() == 3 && value.items[2].text == "hello";
  };
  EXPECT_TRUE(
      client.run_until([&] { return std::any_of(client.messages.begin(), client.messages.end(), is_news); }));
}

TEST(RedisConnection, TakesNoMoreThanMayBeOutstanding) {
  RedisServer redis;
  asio::io_context io{1};
  bool is_ready = false;
  RedisConnection connection(io, {.endpoint = redis.endpoint(), .outstanding_max = 10},
                             {[&] { is_ready = true; }, [](const RedisLost&) {}, {}});
  connection.open();
  while (!is_ready) io.run_one();
  const std::vector<RedisCommand> ping{{"PING"}};
  EXPECT_TRUE(connection.send(ping, {}));
  EXPECT_FALSE(connection.send(ping, {}));
}

}  // namespace
}  // namespace hotkeyd
