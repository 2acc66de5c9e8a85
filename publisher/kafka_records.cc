#include "publisher/kafka_records.h"

#include <utility>

namespace hotkeyd {
namespace {

std::vector<std::pair<std::string, std::string>> headers(std::string id, EventType type) {
  return {{"content-type", "application/cloudevents+json"},
          {"ce_id", std::move(id)},
          {"ce_type", std::string(to_string(type))}};
}

bool is_of_stream(EventType type) { return type == EventType::rules_changed; }

}  // namespace

std::string KafkaRecordWriter::id(const std::string& ns, std::uint64_t seq) const {
  return node_ + '/' + std::to_string(epoch_) + '/' + ns + '/' + std::to_string(seq);
}

KafkaRecord KafkaRecordWriter::write(const PublishedEvent& event, UnixMs now_ms) const {
  const std::string& about = is_of_stream(event.type) ? node_ : event.key;
  return {event.ns + '|' + about, event.bytes, headers(id(event.ns, event.seq), event.type), now_ms};
}

std::vector<KafkaRecord> KafkaRecordWriter::write(const PublishedSnapshot& snapshot, UnixMs now_ms) const {
  const std::string path =
      id(snapshot.ns, snapshot.seq) + "/snapshot/" + std::to_string(snapshot.as_of_ms) + '/';
  std::vector<KafkaRecord> records;
  for (const auto& part : snapshot.parts) {
    const std::string part_id = path + std::to_string(records.size() + 1);
    records.push_back({snapshot.ns + '|' + node_, part, headers(part_id, EventType::snapshot), now_ms});
  }
  return records;
}

}  // namespace hotkeyd
