#include "bench/support/load_connection.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "base/text.h"

namespace hotkeyd {
namespace {

int connect_unix(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) give_up(path + ": path too long");
  std::memcpy(address.sun_path, path.data(), path.size());
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) give_up(path);
  const int bytes = 1 << 20;
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
  return fd;
}

int connect_port(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    give_up("127.0.0.1:" + std::to_string(port));
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

}  // namespace

void give_up(const std::string& what) {
  std::cerr << what << ": " << std::strerror(errno) << '\n';
  std::exit(1);
}

LoadConnection::LoadConnection(const std::string& address) {
  const auto port = parse_unsigned(address);
  fd_ = port ? connect_port(static_cast<std::uint16_t>(*port)) : connect_unix(address);
  if (fcntl(fd_, F_SETFL, O_NONBLOCK) != 0) give_up("fcntl");
}

LoadConnection::~LoadConnection() { close(fd_); }

std::size_t LoadConnection::write_some(std::string_view bytes) {
  const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN) give_up("send");
  return sent < 0 ? 0 : static_cast<std::size_t>(sent);
}

bool LoadConnection::send(std::string_view bytes) {
  if (!is_idle()) return false;
  const std::size_t sent = write_some(bytes);
  if (sent == 0) return false;
  left_ = bytes.substr(sent);
  return true;
}

bool LoadConnection::is_idle() {
  if (!left_.empty()) left_.remove_prefix(write_some(left_));
  return left_.empty();
}

void LoadConnection::read_replies() {
  std::array<char, 65536> buffer;
  const ssize_t got = recv(fd_, buffer.data(), buffer.size(), 0);
  if (got == 0) errno = ECONNRESET;
  if (got == 0 || (got < 0 && errno != EAGAIN)) give_up("recv");
  for (ssize_t i = 0; i < got; ++i) {
    const char c = buffer[static_cast<std::size_t>(i)];
    c == '\n' ? take_line() : line_.push_back(c);
  }
}

void LoadConnection::take_line() {
  if (!line_.empty() && line_.back() == '\r') line_.pop_back();
  const auto number =
      line_.starts_with(':') ? parse_unsigned(std::string_view(line_).substr(1)) : std::nullopt;
  if (!number) {
    std::cerr << "the daemon answered: " << line_ << '\n';
    std::exit(1);
  }
  ++replies_;
  sum_ += *number;
  line_.clear();
}

void LoadConnection::wait(int timeout_ms, bool to_write) {
  const bool writes = to_write || !left_.empty();
  pollfd entry{.fd = fd_, .events = static_cast<short>(writes ? POLLIN | POLLOUT : POLLIN), .revents = 0};
  poll(&entry, 1, timeout_ms);
}

}  // namespace hotkeyd
