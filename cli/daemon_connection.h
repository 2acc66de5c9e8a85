// One blocking connection to the daemon, for a program that does one thing at a time.
//
// Opens unix:///path and tcp://[user:pass@]host:port, greets with HELLO 3 and logs in when the endpoint says
// who. Nothing waits longer than the timeout. Errors are one sentence that names the endpoint and the cause,
// without the password. One thread.
#pragma once

#include <deque>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/endpoint.h"
#include "base/result.h"
#include "resp/reply_parser.h"

namespace hotkeyd {

// A file descriptor that closes itself.
class OwnedDescriptor {
 public:
  OwnedDescriptor() = default;
  explicit OwnedDescriptor(int number) : number_(number) {}
  OwnedDescriptor(OwnedDescriptor&& other) noexcept;
  OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept;
  ~OwnedDescriptor();

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

class DaemonConnection {
 public:
  static Result<DaemonConnection> open(const Endpoint& endpoint, Duration timeout = std::chrono::seconds(5));

  // Sends a command and waits for its reply; what the daemon refuses is a reply too (`is_error`). Pushes that
  // arrive meanwhile wait for `receive`.
  Result<RespValue> call(std::span<const std::string_view> arguments);
  Result<RespValue> call(std::initializer_list<std::string_view> arguments);
  Result<void> send(std::span<const std::string_view> arguments);
  // The next push or reply; nullopt when none came within `patience`.
  Result<std::optional<RespValue>> receive(Duration patience);

  // To wait for several things at once. Data may also wait in this object: `receive` with no patience first.
  int descriptor() const { return socket_.number(); }

 private:
  DaemonConnection(OwnedDescriptor socket, const Endpoint& endpoint, Duration timeout)
      : socket_(std::move(socket)), endpoint_(endpoint.redacted()), timeout_(timeout) {}

  Result<void> greet(const Endpoint& endpoint);
  Result<void> log_in(const Endpoint& endpoint);
  Result<std::optional<RespValue>> next_value(Time deadline);
  Result<bool> read_some(Time deadline);
  Error lost(std::string_view cause) const;

  OwnedDescriptor socket_;
  std::string endpoint_;
  Duration timeout_;
  ReplyParser parser_;
  std::deque<RespValue> pushes_;      // At most kPushesMax: beyond it the connection is given up.
  std::optional<RespValue> refusal_;  // Of the login: the answer to every call.
};

}  // namespace hotkeyd
