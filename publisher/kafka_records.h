// Events as records: key, headers and value are a contract with every consumer of the topic. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kafka/record.h"
#include "wire/published.h"

namespace hotkeyd {

class KafkaRecordWriter {
 public:
  KafkaRecordWriter(std::string node, std::uint64_t epoch) : node_(std::move(node)), epoch_(epoch) {}

  // Key: `ns|` and the raw bytes of the event's key; of a stream-wide event `ns|node`.
  KafkaRecord write(const PublishedEvent& event, UnixMs now_ms) const;
  // One record a part, all in one partition.
  std::vector<KafkaRecord> write(const PublishedSnapshot& snapshot, UnixMs now_ms) const;

 private:
  std::string id(const std::string& ns, std::uint64_t seq) const;

  const std::string node_;
  const std::uint64_t epoch_;
};

}  // namespace hotkeyd
