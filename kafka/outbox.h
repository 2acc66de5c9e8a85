// The records that the broker has not acknowledged, in order: what is sent again when a client is lost.
//
// A record enters with a number of its own, is handed to the client, and leaves when the broker has
// acknowledged or refused it. Until then it is here, whatever happens to the client. The limits may be passed
// by what is added after `is_full`: the caller stops there. Pure; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/clock.h"
#include "kafka/record.h"

namespace hotkeyd {

class KafkaOutbox {
 public:
  using Id = std::uint64_t;

  KafkaOutbox(std::size_t records_max, std::size_t bytes_max)
      : records_max_(records_max), bytes_max_(bytes_max) {}

  Id add(KafkaRecord record, Time now);
  // The oldest record that the client does not have; valid until the next change.
  std::optional<std::pair<Id, const KafkaRecord*>> next_unsent() const;
  void sent(Id id);
  void take_back(Id id);  // The client gave it up: it is unsent again, at its old place.
  void take_back_all();   // The client is gone.
  bool remove(Id id);     // Acknowledged or refused for good; false when it is not here.

  bool is_full() const { return records_.size() >= records_max_ || bytes_ >= bytes_max_; }
  bool empty() const { return records_.empty(); }
  std::size_t size() const { return records_.size(); }
  std::size_t bytes() const { return bytes_; }
  std::optional<Time> oldest_since() const;
  // Whether this record and all before it have left.
  bool is_past(Id id) const { return records_.empty() || records_.begin()->first > id; }

 private:
  struct Entry {
    KafkaRecord record;
    Time since;
  };

  const std::size_t records_max_;
  const std::size_t bytes_max_;
  Id last_id_ = 0;
  std::map<Id, Entry> records_;
  std::set<Id> unsent_;
  std::size_t bytes_ = 0;
};

}  // namespace hotkeyd
