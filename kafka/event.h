// What the client of librdkafka says, as values: the rest of the folder decides on these.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace hotkeyd {

enum class KafkaVerdict {
  accepted,   // The broker has the record.
  busy,       // The client's queue is full; delivery reports make room.
  try_again,  // Not this time, for a reason that may go away: absent topic, missing right, lost client.
  refused,    // This record will never be taken: too large, invalid.
};

// What became of the record of this number.
struct KafkaDelivery {
  std::uint64_t id = 0;
  KafkaVerdict verdict = KafkaVerdict::accepted;
  std::string kind;    // Not accepted: the library's word, "TOPIC_AUTHORIZATION_FAILED".
  std::string reason;  // Not accepted: a sentence.
  bool operator==(const KafkaDelivery&) const = default;
};

// Something is wrong with a connection, or with the client as a whole.
struct KafkaTrouble {
  std::string kind;  // "_TRANSPORT", "_ALL_BROKERS_DOWN", "_AUTHENTICATION"
  std::string reason;
  bool is_fatal = false;    // The client will not work any more.
  bool is_cut_off = false;  // No broker is connected.
  bool operator==(const KafkaTrouble&) const = default;
};

// Each second: whether a connection to a broker stands.
struct KafkaReach {
  bool is_connected = false;
  bool operator==(const KafkaReach&) const = default;
};

// A line of the library's log.
struct KafkaLogLine {
  int level = 6;  // As syslog.
  std::string facility;
  std::string text;
  bool operator==(const KafkaLogLine&) const = default;
};

using KafkaEvent = std::variant<KafkaDelivery, KafkaTrouble, KafkaReach, KafkaLogLine>;

}  // namespace hotkeyd
