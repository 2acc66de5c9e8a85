#include "daemon/activation.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <systemd/sd-daemon.h>

#include <array>
#include <cstdlib>
#include <utility>

namespace hotkeyd {
namespace {

// The names that sd_listen_fds_with_names allocates: the array, and each of them.
class Names {
 public:
  ~Names() {
    for (char** name = all_; name != nullptr && *name != nullptr; ++name) std::free(*name);
    std::free(all_);
  }
  char*** out() { return &all_; }
  const char* at(int index) const { return all_[index]; }

 private:
  char** all_ = nullptr;
};

Endpoint unix_endpoint(const sockaddr_un& address) {
  Endpoint out;
  out.scheme = "unix";
  out.path = address.sun_path[0] == '\0' ? "@" : address.sun_path;  // "@": no file, so nobody's listener.
  return out;
}

Endpoint tcp_endpoint(int family, const void* host, in_port_t port) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  Endpoint out;
  out.scheme = "tcp";
  out.host = ::inet_ntop(family, host, text.data(), text.size());
  out.port = ntohs(port);
  return out;
}

std::optional<Endpoint> address_of(int descriptor) {
  if (sd_is_socket(descriptor, AF_UNSPEC, SOCK_STREAM, 1) <= 0) return std::nullopt;
  union {
    sockaddr any;
    sockaddr_in v4;
    sockaddr_in6 v6;
    sockaddr_un file;
    std::array<char, sizeof(sockaddr_un) + 1> zeros;  // A path of full length has no end of its own.
  } address{.zeros = {}};
  socklen_t size = sizeof(sockaddr_un);
  if (::getsockname(descriptor, &address.any, &size) != 0) return std::nullopt;
  if (address.any.sa_family == AF_UNIX) return unix_endpoint(address.file);
  if (address.any.sa_family == AF_INET)
    return tcp_endpoint(AF_INET, &address.v4.sin_addr, address.v4.sin_port);
  if (address.any.sa_family == AF_INET6)
    return tcp_endpoint(AF_INET6, &address.v6.sin6_addr, address.v6.sin6_port);
  return std::nullopt;
}

Error misfit(const PassedSocket& socket) {
  if (!socket.address) {
    return {"socket activation: " + socket.name +
            " passes what is no listening stream socket: its unit needs ListenStream= and Accept=no"};
  }
  return {"socket activation: " + socket.name + " passes " + socket.address->redacted() +
          ", which is no address of `listen`: add it there, or take it out of the socket unit"};
}

}  // namespace

Result<std::vector<FileDescriptor>> place_passed(std::vector<PassedSocket> passed,
                                                 const std::vector<ListenOptions>& listen) {
  std::vector<FileDescriptor> places(listen.size());
  for (PassedSocket& socket : passed) {
    std::size_t at = 0;
    while (at < listen.size() && (places[at].is_open() || socket.address != listen[at].endpoint)) ++at;
    if (at == listen.size()) return misfit(socket);
    places[at] = std::move(socket.descriptor);
  }
  return places;
}

Result<std::vector<PassedSocket>> take_passed_sockets() {
  Names names;
  const int count = sd_listen_fds_with_names(1, names.out());
  if (count < 0) return Error{"socket activation: LISTEN_FDS: " + system_error_text(-count)};
  std::vector<PassedSocket> out;
  for (int i = 0; i < count; ++i) {
    const int descriptor = SD_LISTEN_FDS_START + i;
    const std::string name = names.at(i);
    out.push_back({name == "unknown" ? "descriptor " + std::to_string(descriptor) : name,
                   address_of(descriptor), FileDescriptor(descriptor)});
  }
  return out;
}

}  // namespace hotkeyd
