// A real, private redis-server for integration tests: temporary folder, free loopback port, unix socket.
//
// It keeps its port over kill() and start(), and is killed and cleaned up with its object, also when the test
// dies. Throws std::runtime_error when redis-server is missing or does not come up.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/endpoint.h"
#include "tests/support/resp_client.h"

namespace hotkeyd::testing {

// A loopback port nobody listens on at the moment.
std::uint16_t free_port();

class RedisServer {
 public:
  enum class Start { now, later };

  // `config` are further lines of redis.conf: "requirepass secret".
  explicit RedisServer(std::vector<std::string> config = {}, Start start = Start::now);
  ~RedisServer();
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  void start();   // Returns once it answers.
  void kill();    // SIGKILL; its data is gone.
  void pause();   // SIGSTOP: connections stay, nothing answers.
  void resume();  // SIGCONT

  std::uint16_t port() const { return port_; }
  // redis://<login>127.0.0.1:port<suffix>; a login is "user:password@", a suffix "/3".
  Endpoint endpoint(const std::string& login = "", const std::string& suffix = "") const;
  Endpoint unix_endpoint() const;

 private:
  void write_config() const;
  void wait_until_it_answers() const;

  std::string folder_;
  std::uint16_t port_;
  std::vector<std::string> config_;
  pid_t process_ = -1;
};

}  // namespace hotkeyd::testing
