// What a connection says first, and what it makes of the answers: AUTH, SELECT, CLIENT SETNAME, CLIENT ID,
// PING.
//
// A new connection also ends the one before it (CLIENT KILL): a server that hung may still have commands of
// that one unread, and would run them after those of the new one. Who is killed is named by id and address
// together, so that another server after a fail-over loses no stranger. Name, id and kill are courtesies: a
// user that may not use them is no failure; neither is one that may not PING, since an answer is an answer.
// Messages never hold the password, even where the server echoes it. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/endpoint.h"
#include "base/result.h"
#include "redis/command.h"
#include "redis/reply.h"

namespace hotkeyd {

// A connection as the server knows it.
struct RedisClientId {
  std::int64_t id = 0;
  std::string address;  // Of its own end: "127.0.0.1:51234", or "path:0" for a unix socket.
};

std::vector<RedisCommand> handshake_commands(const Endpoint& endpoint, const std::string& client_name,
                                             const std::optional<RedisClientId>& predecessor);

// `replies` answer the commands one by one; the value is the id of the client, 0 where the server keeps it to
// itself. The error is what the server said: "WRONGPASS invalid username-password pair".
Result<std::int64_t> judge_handshake(const std::vector<RedisCommand>& commands,
                                     const std::vector<RedisReply>& replies);

// The first word of an error reply when it is a code ("WRONGTYPE", "NOAUTH"), else "ERR". Cut at 20 bytes.
std::string error_code_of(std::string_view error);

}  // namespace hotkeyd
