// A client connection to one Redis server, over TCP or a unix socket, on Asio.
//
// Opens (resolve, connect, handshake) within `connect_timeout`, pipelines commands and hands back their
// replies in order. Opening again ends the connection before it at the server too, so that what a hanging
// server has not read of it never runs after what comes now. A server that stops answering is noticed: by
// `reply_timeout` without a byte while something is awaited, by a PING every `ping_every` while nothing is.
// Failures are values, told once by `lost`; the owner decides when to open again. Messages never hold
// secrets. Bounds: replies by ReplyCaps; commands by `outstanding_max` bytes not yet answered.
//
// One thread: that of the io_context. No callback runs inside a call of this class, and none after close() or
// the destructor, both of which a callback may use.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/endpoint.h"
#include "redis/command.h"
#include "redis/handshake.h"
#include "redis/reply.h"
#include "redis/reply_guard.h"

namespace hotkeyd {

struct RedisConnectionOptions {
  Endpoint endpoint;
  std::string client_name = "hotkeyd";
  Duration connect_timeout = std::chrono::seconds{2};
  Duration reply_timeout = std::chrono::seconds{2};
  Duration ping_every = std::chrono::seconds{5};
  ReplyCaps caps = {};
  std::size_t outstanding_max = 64 << 20;
};

struct RedisEvents {
  std::function<void()> ready;
  std::function<void(const RedisLost&)> lost;  // Also when it could not be opened.
  std::function<void(RedisReply)> message =
      {};  // What comes while nothing is awaited; absent: that is an error.
};

using RedisReplies = std::function<void(std::vector<RedisReply>)>;

class RedisSession;

class RedisConnection {
 public:
  RedisConnection(boost::asio::io_context& io, RedisConnectionOptions options, RedisEvents events);
  ~RedisConnection();
  RedisConnection(const RedisConnection&) = delete;
  RedisConnection& operator=(const RedisConnection&) = delete;

  void open();   // Ends what was open before, silently.
  void close();  // Silently: no callback is called any more, commands not answered are forgotten.
  bool is_ready() const;

  // Sends the commands; `replies` gets one reply for each, all at once. False, and nothing is sent, when the
  // connection is not ready or too much is outstanding.
  bool send(std::span<const RedisCommand> commands, RedisReplies replies);
  // Sends a command whose answers are `message`s, for subscriptions. Never mixed with `send` on one
  // connection.
  bool tell(const RedisCommand& command);

 private:
  boost::asio::io_context& io_;
  RedisConnectionOptions options_;
  RedisEvents events_;
  std::shared_ptr<RedisSession> session_;
  std::optional<RedisClientId> predecessor_;  // The last session that was ready.
};

}  // namespace hotkeyd
