#include "sdk/cpp/src/connection.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "sdk/cpp/src/lookup.h"

namespace hotkeyd::sdk {
namespace {

Address unix_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), std::min(path.size(), sizeof address.sun_path - 1));
  Address out;
  std::memcpy(&out.storage, &address, sizeof address);
  out.size = sizeof address;
  return out;
}

bool would_block(int error) { return error == EAGAIN || error == EINTR; }  // Linux: EWOULDBLOCK is EAGAIN.

}  // namespace

Connection::Connection(Endpoint endpoint) : endpoint_(std::move(endpoint)) {}

Connection::~Connection() { close(); }

Result<void> Connection::start() {
  close();
  if (endpoint_.is_unix()) {
    addresses_ = {unix_address(endpoint_.path)};
    return connect_next();
  }
  lookup_ = Lookup::start(endpoint_.host, endpoint_.port);
  state_ = State::looking_up;
  return advance();
}

Result<void> Connection::advance() {
  if (state_ == State::looking_up) {
    auto found = lookup_->result();
    if (!found) return {};
    lookup_.reset();
    state_ = State::closed;
    if (!found->has_value()) return Error{endpoint_.address() + ": " + found->error()};
    addresses_ = std::move(**found);
    std::reverse(addresses_.begin(), addresses_.end());
    return connect_next();
  }
  int error = 0;
  socklen_t size = sizeof error;
  if (::getsockopt(fd(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  if (error != 0) return addresses_.empty() ? fail(error) : connect_next();
  state_ = State::open;
  return {};
}

Result<void> Connection::connect_next() {
  int error = EADDRNOTAVAIL;
  while (!addresses_.empty()) {
    const Address address = addresses_.back();
    addresses_.pop_back();
    close_fd();
    fd_ = ::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd() < 0) return fail(errno);
    const int on = 1;
    if (!endpoint_.is_unix()) ::setsockopt(fd(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the socket API.
    const int done = ::connect(fd(), reinterpret_cast<const sockaddr*>(&address.storage), address.size);
    state_ = done == 0 ? State::open : State::connecting;
    if (done == 0 || errno == EINPROGRESS) return {};
    error = errno;
  }
  return fail(error);
}

Result<void> Connection::read(std::string& into, std::size_t size_max) {
  const std::size_t before = into.size();
  into.resize(before + size_max);
  const ssize_t got = ::recv(fd(), into.data() + before, size_max, 0);
  const int error = errno;
  into.resize(before + static_cast<std::size_t>(std::max<ssize_t>(0, got)));
  if (got > 0 || (got < 0 && would_block(error))) return {};
  if (got < 0) return fail(error);
  close();
  return Error{endpoint_.address() + ": the daemon closed the connection"};
}

Result<void> Connection::write(std::string& output) {
  std::size_t sent = 0;
  while (sent < output.size()) {
    const ssize_t done = ::send(fd(), output.data() + sent, output.size() - sent, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && !would_block(errno)) return fail(errno);
    if (done <= 0) break;
    sent += static_cast<std::size_t>(done);
  }
  output.erase(0, sent);
  return {};
}

Result<void> Connection::fail(int error) {
  close();
  return Error{endpoint_.address() + ": " + std::generic_category().message(error)};
}

void Connection::close() {
  close_fd();
  lookup_.reset();
  addresses_.clear();
  state_ = State::closed;
}

// The number is forgotten first: a fork in between must not make the child close somebody else's file.
void Connection::close_fd() {
  const int fd = fd_.exchange(-1);
  if (fd >= 0) ::close(fd);
}

}  // namespace hotkeyd::sdk
