// Accepts connections on one address, for as long as the process lives.
//
// An accept loop that ends on an error never accepts again, and one that retries at once spins: when
// descriptors are used up (EMFILE and the like) it counts, waits 100 ms and goes on. Binding is `listen_unix`
// and `listen_tcp`. One thread: that of the io_context.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/endpoint.h"
#include "base/result.h"
#include "io/asio.h"
#include "io/file_descriptor.h"

namespace hotkeyd {

struct ListenerOptions {
  Endpoint endpoint;                 // unix:// or tcp://
  std::uint32_t mode = 0660;         // Unix sockets only.
  std::optional<std::string> group;  // Unix sockets only.
};

class Listener {
 public:
  // The socket is non-blocking; TCP sockets send without delay.
  using Accepted = std::function<void(StreamSocket socket)>;

  // Binds and listens; accepting begins with `start`. Errors name the address.
  static Result<std::unique_ptr<Listener>> open(asio::io_context& io, const ListenerOptions& options);
  // Takes a socket that listens already at `endpoint`. Its file is its maker's, also at the end.
  static std::unique_ptr<Listener> adopt(asio::io_context& io, const Endpoint& endpoint,
                                         FileDescriptor listening);
  ~Listener();  // As stop.
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  void start(Accepted accepted);
  // Accepts nobody any more; removes the socket file if it still is this listener's.
  void stop();

  bool is_unix() const;
  // As a URL; a port of 0 is shown as the one it became.
  std::string address() const;
  std::uint64_t accept_errors() const;

 private:
  class Impl;
  explicit Listener(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

  // Shared with the handlers that wait in the loop: they may come back after the Listener is gone.
  std::shared_ptr<Impl> impl_;
};

}  // namespace hotkeyd
