// What an operator may set of the RESP and HTTP servers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/endpoint.h"

namespace hotkeyd {

struct ListenOptions {
  Endpoint endpoint;               // unix:// or tcp://
  std::uint32_t mode = 0660;       // Unix sockets only; set before listen.
  std::optional<std::string> group;  // Unix sockets only.
};

struct ServerOptions {
  std::string node;                // Names the streams.
  std::uint64_t epoch = 0;         // Of the streams: the daemon's start in Unix ms.
  Duration lease = std::chrono::seconds{10};
  std::vector<ListenOptions> listen;
  // Which sources count in a namespace is a later part's option.
};

struct HttpOptions {
  std::optional<Endpoint> listen;  // tcp://; nullopt: no HTTP.
};

}  // namespace hotkeyd
