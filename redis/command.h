// Commands for a Redis server. Arguments are any bytes. Pure; one thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hotkeyd {

using RedisCommand = std::vector<std::string>;  // Name first; never empty.

// Appends the command in the form the server reads.
void append_redis_command(std::string& out, const RedisCommand& command);

}  // namespace hotkeyd
