// One record as it will lie in a topic. A pure value.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace hotkeyd {

struct KafkaRecord {
  std::string key;  // Any bytes; decides the partition.
  std::shared_ptr<const std::string> value;
  std::vector<std::pair<std::string, std::string>> headers;
  UnixMs created_ms = 0;  // CreateTime; stays the same when the record is sent again.
};

// What a record takes in memory and on the wire, about.
inline std::size_t bytes_of(const KafkaRecord& record) {
  constexpr std::size_t kOverhead = 128;
  std::size_t bytes = kOverhead + record.key.size() + (record.value ? record.value->size() : 0);
  for (const auto& [name, value] : record.headers) bytes += name.size() + value.size();
  return bytes;
}

}  // namespace hotkeyd
