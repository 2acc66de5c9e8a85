// What an operator may set of the RESP and HTTP servers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/endpoint.h"

namespace hotkeyd {

struct ListenOptions {
  Endpoint endpoint;                 // unix:// or tcp://
  std::uint32_t mode = 0660;         // Unix sockets only; set before listen.
  std::optional<std::string> group;  // Unix sockets only.
  bool operator==(const ListenOptions&) const = default;
};

struct ServerOptions {
  std::string node;         // Names the streams.
  std::uint64_t epoch = 0;  // Of the streams: the daemon's start in Unix ms.
  Duration lease = std::chrono::seconds{10};
  std::string version = "0.0.0";              // Of the daemon: HELLO and INFO show it.
  Duration window = std::chrono::seconds{1};  // `detector.window`: an older batch is late.
  std::vector<ListenOptions> listen;
  std::size_t clients_max = 10'000;        // Beyond: refused, counted. Less where descriptors are short.
  std::size_t subscriptions_max = 10'000;  // Of all connections together.
  // Which sources count in a namespace is a later part's option.
};

struct HttpOptions {
  std::optional<Endpoint> listen;  // tcp://; nullopt: no HTTP.
  std::size_t clients_max = 32;    // Beyond: the oldest without a complete request goes.
  std::size_t header_bytes_max = 8 << 10;
  std::size_t body_bytes_max = 1 << 10;
  Duration request_time_max = std::chrono::seconds{5};  // To send a request, and to take the response.
  Duration idle_time_max = std::chrono::seconds{60};    // Between requests of one connection.
};

}  // namespace hotkeyd
