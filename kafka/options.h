// What an operator may set of a Kafka producer.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace hotkeyd {

struct KafkaOptions {
  std::vector<std::string> brokers;  // host:port each; at least one.
  std::string topic = "hotkey.events";
  std::map<std::string, std::string> properties;  // Of librdkafka, checked by check_kafka_property.
  // Of records that the broker has not acknowledged.
  std::size_t records_max = 10'000;
  std::size_t bytes_max = 16 << 20;
  bool operator==(const KafkaOptions&) const = default;
};

}  // namespace hotkeyd
