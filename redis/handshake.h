// What a connection says first, and what it makes of the answers: AUTH, SELECT, CLIENT SETNAME, PING.
//
// The name is a courtesy to operators, so a user that may not set it is no failure; neither is one that may
// not PING, since an answer is an answer. Messages never hold the password, even where the server echoes it.
// Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/endpoint.h"
#include "base/result.h"
#include "redis/command.h"
#include "resp/reply_parser.h"

namespace hotkeyd {

std::vector<RedisCommand> handshake_commands(const Endpoint& endpoint, const std::string& client_name);

// `replies` answer the commands one by one. The error is what the server said: "WRONGPASS invalid
// username-...".
Result<void> judge_handshake(const Endpoint& endpoint, const std::vector<RespValue>& replies);

// The first word of an error reply when it is a code ("WRONGTYPE", "NOAUTH"), else "ERR". Cut at 20 bytes.
std::string error_code_of(std::string_view error);

}  // namespace hotkeyd
