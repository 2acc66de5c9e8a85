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
};

}  // namespace hotkeyd
