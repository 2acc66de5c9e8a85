#include "kafka/outbox.h"

namespace hotkeyd {

KafkaOutbox::Id KafkaOutbox::add(KafkaRecord record, Time now) {
  bytes_ += bytes_of(record);
  records_.emplace(++last_id_, Entry{std::move(record), now});
  unsent_.insert(last_id_);
  return last_id_;
}

std::optional<std::pair<KafkaOutbox::Id, const KafkaRecord*>> KafkaOutbox::next_unsent() const {
  if (unsent_.empty()) return std::nullopt;
  const Id id = *unsent_.begin();
  return std::pair{id, &records_.at(id).record};
}

void KafkaOutbox::sent(Id id) { unsent_.erase(id); }

void KafkaOutbox::take_back(Id id) {
  if (records_.contains(id)) unsent_.insert(id);
}

void KafkaOutbox::take_back_all() {
  for (const auto& [id, entry] : records_) unsent_.insert(id);
}

bool KafkaOutbox::remove(Id id) {
  const auto found = records_.find(id);
  if (found == records_.end()) return false;
  bytes_ -= bytes_of(found->second.record);
  records_.erase(found);
  unsent_.erase(id);
  return true;
}

std::optional<Time> KafkaOutbox::oldest_since() const {
  if (records_.empty()) return std::nullopt;
  return records_.begin()->second.since;
}

}  // namespace hotkeyd
