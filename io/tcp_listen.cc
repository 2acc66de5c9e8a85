#include "io/tcp_listen.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <memory>

#include "io/listen_backlog.h"

namespace hotkeyd {
namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Result<Addresses> resolve(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int code =
      ::getaddrinfo(host.empty() ? nullptr : host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (code != 0) return Error{::gai_strerror(code)};
  return Addresses(found, &::freeaddrinfo);
}

std::uint16_t bound_port(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<sockaddr_in6*>(&address)->sin6_port);
  return ntohs(reinterpret_cast<sockaddr_in*>(&address)->sin_port);
}

FileDescriptor listen_on(const addrinfo& address) {
  FileDescriptor out(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int on = 1;
  ::setsockopt(out.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (address.ai_family == AF_INET6) ::setsockopt(out.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
  if (::bind(out.get(), address.ai_addr, address.ai_addrlen) != 0) return FileDescriptor{};
  if (::listen(out.get(), kListenBacklog) != 0) return FileDescriptor{};
  return out;
}

}  // namespace

Result<TcpListening> listen_tcp(const std::string& host, std::uint16_t port) {
  auto addresses = resolve(host, port);
  if (!addresses) return Error{addresses.error()};
  int reason = 0;
  for (const addrinfo* at = addresses->get(); at != nullptr; at = at->ai_next) {
    FileDescriptor descriptor = listen_on(*at);
    reason = errno;
    if (!descriptor.is_open()) continue;
    const std::uint16_t bound = bound_port(descriptor.get());
    return TcpListening{std::move(descriptor), bound};
  }
  return Error{system_error_text(reason)};
}

}  // namespace hotkeyd
