#include "tests/support/resp_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace hotkeyd::testing {
namespace {

constexpr std::chrono::seconds kAnswerPatience{10};

}  // namespace

RespClient::RespClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return;
  ::close(socket_);
  throw std::runtime_error("no redis-server on port " + std::to_string(port));
}

RespClient::~RespClient() { ::close(socket_); }

RespValue RespClient::command(const RedisCommand& command) {
  std::string bytes;
  append_redis_command(bytes, command);
  send(bytes);
  auto reply = read(kAnswerPatience);
  if (!reply) throw std::runtime_error("no reply to " + command[0]);
  return std::move(*reply);
}

void RespClient::send(const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t size = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (size < 0) throw std::runtime_error("the redis-server closed the connection");
    sent += static_cast<std::size_t>(size);
  }
}

std::optional<RespValue> RespClient::read(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (true) {
    auto reply = reader_.next();
    if (!reply) throw std::runtime_error(reply.error());
    if (*reply) return std::move(*reply);
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd waiting{socket_, POLLIN, 0};
    if (left.count() < 0 || ::poll(&waiting, 1, static_cast<int>(left.count())) <= 0) return std::nullopt;
    std::array<char, 16384> bytes;
    const ssize_t size = ::recv(socket_, bytes.data(), bytes.size(), 0);
    if (size <= 0) throw std::runtime_error("the redis-server closed the connection");
    if (auto fed = reader_.feed({bytes.data(), static_cast<std::size_t>(size)}); !fed) {
      throw std::runtime_error(fed.error());
    }
  }
}

}  // namespace hotkeyd::testing
