#include "cli/daemon_connection.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/text.h"
#include "cli/socket.h"
#include "resp/writer.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kPushesMax = 100'000;

}  // namespace

OwnedDescriptor::OwnedDescriptor(OwnedDescriptor&& other) noexcept
    : number_(std::exchange(other.number_, -1)) {}

OwnedDescriptor& OwnedDescriptor::operator=(OwnedDescriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

OwnedDescriptor::~OwnedDescriptor() {
  if (is_open()) close(number_);
}

Result<DaemonConnection> DaemonConnection::open(const Endpoint& endpoint, Duration timeout) {
  const auto socket = connect_socket(endpoint, timeout);
  if (!socket) return Error{"no daemon at " + redis_escape(endpoint.redacted()) + ": " + socket.error()};
  DaemonConnection connection(OwnedDescriptor(*socket), endpoint, timeout);
  if (auto greeted = connection.greet(endpoint); !greeted) return Error{greeted.error()};
  return connection;
}

Result<void> DaemonConnection::greet(const Endpoint& endpoint) {
  if (endpoint.has_password) {
    if (auto done = log_in(endpoint); !done) return done;
  }
  const auto reply = call({"HELLO", "3"});
  if (!reply) return Error{reply.error()};
  return {};
}

Result<void> DaemonConnection::log_in(const Endpoint& endpoint) {
  const std::string_view user = endpoint.user.empty() ? std::string_view("default") : endpoint.user;
  auto reply = call({"AUTH", user, endpoint.password});
  if (!reply) return Error{reply.error()};
  if (reply->is_error() && reply->text.starts_with("WRONGPASS")) refusal_ = std::move(*reply);
  return {};
}

Error DaemonConnection::lost(std::string_view cause) const {
  return Error{"lost the daemon at " + redis_escape(endpoint_) + ": " + std::string(cause)};
}

Result<RespValue> DaemonConnection::call(std::initializer_list<std::string_view> arguments) {
  return call(std::span(arguments.begin(), arguments.size()));
}

Result<RespValue> DaemonConnection::call(std::span<const std::string_view> arguments) {
  if (refusal_) return *refusal_;
  if (auto sent = send(arguments); !sent) return Error{sent.error()};
  const Time deadline = Clock::now() + timeout_;
  while (true) {
    auto value = next_value(deadline);
    if (!value) return Error{value.error()};
    if (!*value) return lost("no answer within " + std::to_string(to_ms(timeout_)) + " ms");
    if ((*value)->kind != RespValue::Kind::push) return std::move(**value);
    if (pushes_.size() == kPushesMax) return lost("too many events before an answer");
    pushes_.push_back(std::move(**value));
  }
}

Result<void> DaemonConnection::send(std::span<const std::string_view> arguments) {
  std::string request;
  append_command(request, arguments);
  const Time deadline = Clock::now() + timeout_;
  for (std::string_view left = request; !left.empty();) {
    const ssize_t sent = ::send(socket_.number(), left.data(), left.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      left.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno != EINTR && errno != EAGAIN) {
      return lost(std::strerror(errno));
    } else if (!wait_writable(socket_.number(), deadline)) {
      return lost("it does not read");
    }
  }
  return {};
}

Result<std::optional<RespValue>> DaemonConnection::receive(Duration patience) {
  if (pushes_.empty()) return next_value(Clock::now() + patience);
  auto first = std::move(pushes_.front());
  pushes_.pop_front();
  return std::optional(std::move(first));
}

Result<std::optional<RespValue>> DaemonConnection::next_value(Time deadline) {
  while (true) {
    auto value = parser_.next();
    if (!value) return lost(value.error());
    if (*value) return std::move(*value);
    const auto more = read_some(deadline);
    if (!more) return Error{more.error()};
    if (!*more) return std::optional<RespValue>();
  }
}

// False: nothing came before the deadline.
Result<bool> DaemonConnection::read_some(Time deadline) {
  std::array<char, 64 * 1024> bytes;
  while (true) {
    const ssize_t got = recv(socket_.number(), bytes.data(), bytes.size(), 0);
    if (got > 0) {
      parser_.feed({bytes.data(), static_cast<std::size_t>(got)});
      return true;
    }
    if (got == 0) return lost("it closed the connection");
    if (errno != EINTR && errno != EAGAIN) return lost(std::strerror(errno));
    if (!wait_readable(socket_.number(), deadline)) return false;
  }
}

}  // namespace hotkeyd
