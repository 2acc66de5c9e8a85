// Follows hotkey:invalidated:<ns> on Redis and hands on what other nodes say there.
//
// A second connection, since a RESP2 connection that has subscribed can do nothing else. It subscribes to the
// exact channel of each namespace: a pattern would need more rights (an ACL of &hotkey:* refuses any other
// pattern). It opens when the publisher's own connection works, so that an absent server is tried and named
// once. Messages are another process' bytes: only a decodable `invalidated` event of this namespace and
// another node passes. One thread (control).
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <set>
#include <string>

#include "base/backoff.h"
#include "base/clock.h"
#include "io/timer.h"
#include "publisher/error_log.h"
#include "publisher/publisher.h"
#include "redis/connection.h"

namespace hotkeyd {

class RedisRelay {
 public:
  using Sink = std::function<void(const std::string& ns, std::string bytes)>;
  using Log = std::function<void(const ErrorLine& line)>;

  RedisRelay(asio::io_context& io, const RedisConnectionOptions& options, const PublisherIdentity& identity,
             Sink sink, Log log);

  RedisRelay(const RedisRelay&) = delete;
  RedisRelay& operator=(const RedisRelay&) = delete;

  void follow(const std::string& ns);        // From now on; again: nothing.
  void server_is_reachable(bool reachable);  // What the publisher's connection knows.
  void stop();

 private:
  void open();
  void open_again();
  void subscribe();
  void lost(const RedisLost& lost);
  void received(const RedisReply& message);
  void report(const std::string& kind, ErrorLine line);

  const std::string node_;
  Sink sink_;
  Log log_;
  ErrorLog errors_;
  Backoff reconnect_;
  Timer timer_;
  RedisConnection connection_;
  std::set<std::string, std::less<>> namespaces_;  // Bounded by the daemon's limit.
  bool is_reachable_ = false;
  bool is_open_ = false;  // Open, opening, or waiting to open again.
};

// The bytes of the event when the message on `channel` is to be relayed: its namespace, else empty.
std::string relayed_namespace(const std::string& channel, const std::string& bytes,
                              const std::string& own_node);

}  // namespace hotkeyd
