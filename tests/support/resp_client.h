// A blocking client of a Redis server, for tests: one command, one reply.
//
// Calls throw std::runtime_error on a socket that fails and when nothing comes within the time given.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "redis/command.h"
#include "redis/reply_reader.h"

namespace hotkeyd::testing {

class RespClient {
 public:
  explicit RespClient(std::uint16_t port);
  ~RespClient();
  RespClient(const RespClient&) = delete;
  RespClient& operator=(const RespClient&) = delete;

  RespValue command(const RedisCommand& command);
  // The next message within `patience`; nullopt when none comes.
  std::optional<RespValue> read(std::chrono::milliseconds patience);

 private:
  void send(const std::string& bytes);

  int socket_ = -1;
  ReplyReader reader_{};
};

}  // namespace hotkeyd::testing
