#include "redis/handshake.h"

#include <algorithm>
#include <array>

namespace hotkeyd {
namespace {

constexpr std::size_t kMessageMax = 300;

bool has_login(const Endpoint& endpoint) { return endpoint.has_password || !endpoint.user.empty(); }

RedisCommand login_command(const Endpoint& endpoint) {
  if (endpoint.user.empty()) return {"AUTH", endpoint.password};
  return {"AUTH", endpoint.user, endpoint.password};
}

// A server that does not know AUTH answers with the arguments it got; only texts known not to are shown.
Error login_refused(std::string_view text) {
  constexpr std::array<std::string_view, 7> kShown = {"WRONGPASS", "NOAUTH",      "NOPERM",    "LOADING",
                                                      "ERR AUTH",  "ERR invalid", "ERR Client"};
  const bool is_shown = std::any_of(kShown.begin(), kShown.end(),
                                    [&](std::string_view start) { return text.starts_with(start); });
  if (is_shown) return Error{std::string(text.substr(0, kMessageMax))};
  return Error{"AUTH was answered by an error of kind " + error_code_of(text)};
}

bool forbids_all(std::string_view error) {
  constexpr std::array<std::string_view, 3> kFatal = {"NOAUTH", "LOADING", "MASTERDOWN"};
  return std::find(kFatal.begin(), kFatal.end(), error_code_of(error)) != kFatal.end();
}

}  // namespace

std::vector<RedisCommand> handshake_commands(const Endpoint& endpoint, const std::string& client_name,
                                             const std::optional<RedisClientId>& predecessor) {
  std::vector<RedisCommand> commands;
  if (has_login(endpoint)) commands.push_back(login_command(endpoint));
  if (predecessor) {
    commands.push_back(
        {"CLIENT", "KILL", "ID", std::to_string(predecessor->id), "ADDR", predecessor->address});
  }
  if (endpoint.database != 0) commands.push_back({"SELECT", std::to_string(endpoint.database)});
  commands.push_back({"CLIENT", "SETNAME", client_name});
  commands.push_back({"CLIENT", "ID"});
  commands.push_back({"PING"});
  return commands;
}

Result<std::int64_t> judge_handshake(const std::vector<RedisCommand>& commands,
                                     const std::vector<RedisReply>& replies) {
  std::int64_t id = 0;
  for (std::size_t at = 0; at < commands.size() && at < replies.size(); ++at) {
    if (commands[at] == RedisCommand{"CLIENT", "ID"}) id = replies[at].integer;
    if (!replies[at].is_error()) continue;
    const std::string& text = replies[at].text;
    if (commands[at][0] == "AUTH") return login_refused(text);
    if (commands[at][0] == "SELECT" || forbids_all(text)) return Error{text.substr(0, kMessageMax)};
  }
  return id;
}

std::string error_code_of(std::string_view error) {
  constexpr std::size_t kCodeMax = 20;
  const std::string_view word = error.substr(0, std::min(error.find(' '), kCodeMax));
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  return !word.empty() && std::all_of(word.begin(), word.end(), is_capital) ? std::string(word) : "ERR";
}

}  // namespace hotkeyd
