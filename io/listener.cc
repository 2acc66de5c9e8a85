#include "io/listener.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/basic_socket_acceptor.hpp>

#include "base/log.h"
#include "io/tcp_listen.h"
#include "io/unix_listen.h"

namespace hotkeyd {
namespace {

using Protocol = asio::generic::stream_protocol;
using Acceptor = asio::basic_socket_acceptor<Protocol>;

constexpr std::chrono::milliseconds kPause{100};

bool is_scarcity(error_code error) {
  return error == asio::error::no_descriptors || error == asio::error::no_buffer_space ||
         error == asio::error::no_memory || error.value() == ENFILE;
}

// Sends without delay, and notices within minutes when the other host is gone.
void set_up_tcp(int descriptor) {
  const auto set = [descriptor](int level, int option, int value) {
    ::setsockopt(descriptor, level, option, &value, sizeof(value));
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 120);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 30);
}

struct Bound {
  FileDescriptor descriptor;
  Endpoint endpoint;
  SocketFile file;
};

Result<Bound> bind(const ListenerOptions& options) {
  const Endpoint& endpoint = options.endpoint;
  if (endpoint.is_unix()) {
    auto listening = listen_unix({endpoint.path, options.mode, options.group});
    if (!listening) return Error{endpoint.redacted() + ": " + listening.error()};
    return Bound{std::move(listening->descriptor), endpoint, std::move(listening->file)};
  }
  auto listening = listen_tcp(endpoint.host, endpoint.port);
  if (!listening) return Error{endpoint.redacted() + ": " + listening.error()};
  Bound out{std::move(listening->descriptor), endpoint, {}};
  out.endpoint.port = listening->port;
  return out;
}

}  // namespace

class Listener::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(asio::io_context& io, Bound bound)
      : endpoint_(std::move(bound.endpoint)), file_(std::move(bound.file)), acceptor_(io), pause_(io) {
    const int family = endpoint_.is_unix()                             ? AF_UNIX
                       : endpoint_.host.find(':') == std::string::npos ? AF_INET
                                                                       : AF_INET6;
    acceptor_.assign(Protocol(family, 0), bound.descriptor.release());
  }

  void start(Accepted accepted) {
    accepted_ = std::move(accepted);
    accept();
  }

  void stop() {
    if (!acceptor_.is_open()) return;
    error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    remove_socket_file(file_);
  }

  const Endpoint& endpoint() const { return endpoint_; }
  std::uint64_t errors() const { return errors_; }

 private:
  void accept() {
    acceptor_.async_accept([self = shared_from_this()](error_code error, StreamSocket socket) {
      self->on_accept(error, std::move(socket));
    });
  }

  void on_accept(error_code error, StreamSocket socket) {
    if (!acceptor_.is_open()) return;
    if (!error) hand_over(std::move(socket));
    if (error) count(error);
    if (!acceptor_.is_open()) return;  // The one it was handed to may have stopped us.
    if (is_scarcity(error)) return wait_a_moment();
    accept();
  }

  void count(error_code error) {
    ++errors_;
    if (!log_limit_.allow(Clock::now())) return;
    log_warning("accept_failed",
                {{"address", endpoint_.redacted()}, {"reason", error.message()}, {"errors", errors_}});
  }

  void hand_over(StreamSocket socket) {
    error_code error;
    socket.non_blocking(true, error);
    if (!endpoint_.is_unix()) set_up_tcp(socket.native_handle());
    if (!error) accepted_(std::move(socket));
  }

  void wait_a_moment() {
    pause_.expires_after(kPause);
    pause_.async_wait([self = shared_from_this()](error_code) {
      if (self->acceptor_.is_open()) self->accept();
    });
  }

  Endpoint endpoint_;
  SocketFile file_;
  Acceptor acceptor_;
  asio::steady_timer pause_;
  Accepted accepted_;
  std::uint64_t errors_ = 0;
  LogLimiter log_limit_{std::chrono::seconds{10}};
};

Result<std::unique_ptr<Listener>> Listener::open(asio::io_context& io, const ListenerOptions& options) {
  auto bound = bind(options);
  if (!bound) return Error{bound.error()};
  return std::unique_ptr<Listener>(new Listener(std::make_shared<Impl>(io, std::move(*bound))));
}

std::unique_ptr<Listener> Listener::adopt(asio::io_context& io, const Endpoint& endpoint,
                                          FileDescriptor listening) {
  return std::unique_ptr<Listener>(
      new Listener(std::make_shared<Impl>(io, Bound{std::move(listening), endpoint, {}})));
}

Listener::~Listener() { stop(); }
void Listener::start(Accepted accepted) { impl_->start(std::move(accepted)); }
void Listener::stop() { impl_->stop(); }
bool Listener::is_unix() const { return impl_->endpoint().is_unix(); }
std::string Listener::address() const { return impl_->endpoint().redacted(); }
std::uint64_t Listener::accept_errors() const { return impl_->errors(); }

}  // namespace hotkeyd
