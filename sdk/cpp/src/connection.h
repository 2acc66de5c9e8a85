// A stream socket to the daemon that never blocks: unix or TCP, reached step by step.
//
// One thread; `abandon` only in a forked child.
#pragma once

#include <sys/socket.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/endpoint.h"
#include "base/result.h"

namespace hotkeyd::sdk {

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

class Lookup;  // A name being resolved by a thread of its own.

class Connection {
 public:
  enum class State { closed, looking_up, connecting, open };

  explicit Connection(Endpoint endpoint);
  ~Connection();

  // Begins. Errors name the address and the cause; the state is then `closed`.
  Result<void> start();
  // Goes on: call when the socket is writable, or every `kLookupPoll` while looking up.
  Result<void> advance();
  // Appends what can be read at once, at most `size_max`. The end of the stream is an error.
  Result<void> read(std::string& into, std::size_t size_max);
  // Sends what the socket takes and removes it from `output`.
  Result<void> write(std::string& output);
  void close();

  State state() const { return state_; }
  int fd() const { return fd_.load(std::memory_order_relaxed); }

  void abandon() { close_fd(); }

 private:
  Result<void> connect_next();
  Result<void> fail(int error);
  void close_fd();

  const Endpoint endpoint_;
  State state_ = State::closed;
  std::shared_ptr<Lookup> lookup_;
  std::vector<Address> addresses_;  // Those not tried yet, last first.
  std::atomic<int> fd_{-1};
};

}  // namespace hotkeyd::sdk
