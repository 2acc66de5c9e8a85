#include "bench/support/ask.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "resp/writer.h"

namespace hotkeyd {

RespValue AskConnection::ask(std::initializer_list<std::string_view> command) {
  request_.clear();
  append_command(request_, command);
  while (!connection_.send(request_)) connection_.wait(1000, true);
  while (!connection_.is_idle()) connection_.wait(1000, true);
  return read_reply();
}

RespValue AskConnection::read_reply() {
  std::array<char, 65536> buffer;
  for (;;) {
    pollfd entry{.fd = connection_.fd(), .events = POLLIN, .revents = 0};
    poll(&entry, 1, 10'000);
    const ssize_t got = recv(connection_.fd(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got <= 0) give_up("no answer from " + address_);
    parser_.feed({buffer.data(), static_cast<std::size_t>(got)});
    auto reply = parser_.next();
    if (!reply) give_up(reply.error());
    if (*reply) return std::move(**reply);
  }
}

RespValue ask(const std::string& address, std::initializer_list<std::string_view> command) {
  return AskConnection(address).ask(command);
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
