// What comes back from a Redis server, and how a connection ends: values for those who decide about them
// without touching a socket. Pure.
#pragma once

#include <string>

#include "resp/reply_parser.h"

namespace hotkeyd {

using RedisReply = RespValue;

enum class RedisFailure { connection, timeout, refused };  // refused: the server answered, and said no.

struct RedisLost {
  RedisFailure failure = RedisFailure::connection;
  std::string message;  // "connection refused", "no reply within the time allowed", "WRONGPASS invalid ...".
};

}  // namespace hotkeyd
