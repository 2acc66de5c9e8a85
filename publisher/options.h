// What an operator may set of one remote sink.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/endpoint.h"

namespace hotkeyd {

enum class PublisherType { redis };

struct PublisherOptions {
  PublisherType type = PublisherType::redis;
  std::string name = "redis";  // The `sink` label.
  Endpoint endpoint;
  std::optional<Duration> heartbeat;  // Default min(3 s, lease / 3); at most lease / 3.
  bool relay = true;
  // Of the queue from the data thread, and as much again of what waits for the server behind it.
  std::size_t queue_events_max = 20'000;
  std::size_t queue_bytes_max = 32 << 20;
  bool operator==(const PublisherOptions&) const = default;
};

}  // namespace hotkeyd
