#include "bench/support/ask.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/support/load_connection.h"
#include "resp/writer.h"

namespace hotkeyd {

RespValue ask(const std::string& address, std::initializer_list<std::string_view> command) {
  LoadConnection connection(address);
  std::string request;
  append_command(request, command);
  while (!connection.send(request)) connection.wait(1000, true);
  while (!connection.is_idle()) connection.wait(1000, true);
  ReplyParser parser;
  std::array<char, 65536> buffer;
  for (;;) {
    pollfd entry{.fd = connection.fd(), .events = POLLIN, .revents = 0};
    poll(&entry, 1, 10'000);
    const ssize_t got = recv(connection.fd(), buffer.data(), buffer.size(), 0);
    if (got <= 0) give_up("no answer from " + address);
    parser.feed({buffer.data(), static_cast<std::size_t>(got)});
    auto reply = parser.next();
    if (!reply) give_up(reply.error());
    if (*reply) return std::move(**reply);
  }
}

std::uint64_t counter(const std::string& address, std::string_view prefix) {
  const auto stats = nlohmann::json::parse(ask(address, {"HOTKEY", "STATS"}).text, nullptr, false);
  std::uint64_t sum = 0;
  for (const auto& [name, value] : stats.items()) {
    if (name.starts_with(prefix) && value.is_number()) sum += value.get<std::uint64_t>();
  }
  return sum;
}

}  // namespace hotkeyd
