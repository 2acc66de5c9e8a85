// What an operator may set of one remote sink.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/endpoint.h"
#include "kafka/options.h"

namespace hotkeyd {

enum class PublisherType { redis, kafka };

struct PublisherOptions {
  PublisherType type = PublisherType::redis;
  std::string name = "redis";  // The `sink` label.
  // Of Redis only.
  Endpoint endpoint;
  std::optional<Duration> heartbeat;  // Default min(3 s, lease / 3); at most lease / 3.
  bool relay = true;
  KafkaOptions kafka;  // Of Kafka only.
  // Of the queue from the data thread. Behind it waits for the server: Redis as much again, Kafka its outbox.
  std::size_t queue_events_max = 20'000;
  std::size_t queue_bytes_max = 32 << 20;
  bool operator==(const PublisherOptions&) const = default;
};

}  // namespace hotkeyd
