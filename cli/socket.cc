#include "cli/socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

namespace hotkeyd {
namespace {

bool wait_for(int descriptor, short events, Time deadline) {
  while (true) {
    const auto left =
        std::max<std::int64_t>(0, to_ms(deadline - Clock::now() + std::chrono::microseconds(999)));
    pollfd wanted{descriptor, events, 0};
    const int ready = poll(&wanted, 1, static_cast<int>(std::min<std::int64_t>(left, 60'000)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return true;  // The next read or write says what is wrong.
    if (Clock::now() >= deadline) return false;
  }
}

Result<int> connect_to(int family, const sockaddr* address, socklen_t size, Time deadline) {
  const int descriptor = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return Error{std::strerror(errno)};
  int failure = connect(descriptor, address, size) == 0 ? 0 : errno;
  if (failure == EINPROGRESS) {
    socklen_t length = sizeof failure;
    failure = ETIMEDOUT;
    if (wait_writable(descriptor, deadline)) getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &length);
  }
  if (failure == 0) return descriptor;
  close(descriptor);
  return Error{std::strerror(failure)};
}

Result<int> connect_unix(const std::string& path, Time deadline) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return Error{"the path is too long"};
  std::memcpy(address.sun_path, path.data(), path.size());
  return connect_to(AF_UNIX, reinterpret_cast<const sockaddr*>(&address), sizeof address, deadline);
}

Result<int> connect_tcp(const Endpoint& endpoint, Time deadline) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int failure =
      getaddrinfo(endpoint.host.c_str(), std::to_string(endpoint.port).c_str(), &hints, &found);
  if (failure != 0) return Error{gai_strerror(failure)};
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> addresses(found, freeaddrinfo);
  Result<int> connected = Error{"no address"};
  for (const addrinfo* one = found; one != nullptr && !connected; one = one->ai_next) {
    connected = connect_to(one->ai_family, one->ai_addr, one->ai_addrlen, deadline);
  }
  const int on = 1;
  if (connected) setsockopt(*connected, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return connected;
}

}  // namespace

bool wait_readable(int descriptor, Time deadline) { return wait_for(descriptor, POLLIN, deadline); }
bool wait_writable(int descriptor, Time deadline) { return wait_for(descriptor, POLLOUT, deadline); }

Result<int> connect_socket(const Endpoint& endpoint, Duration timeout) {
  const Time deadline = Clock::now() + timeout;
  return endpoint.is_unix() ? connect_unix(endpoint.path, deadline) : connect_tcp(endpoint, deadline);
}

}  // namespace hotkeyd
