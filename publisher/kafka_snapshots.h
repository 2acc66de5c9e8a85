// When each namespace's next snapshot is due on its way to Kafka.
//
// Of the namespaces that exist at the start: with the first connection. One that appears later is known from
// its first event on and needs none. After a lost connection all are due at a random moment within
// `settle_max`, so that a fleet does not send all of its hot sets in the same second. From then on before
// each `interval` is over, but for namespaces whose last snapshot was empty and that had no event since. A
// gap makes one due at once. What was asked for and did not come is asked for again. Pure; one thread.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"

namespace hotkeyd {

struct KafkaSnapshotTimes {
  Duration interval = std::chrono::seconds{60};
  Duration spread = std::chrono::seconds{5};  // An interval is shorter by up to this, at random.
  Duration settle_max = std::chrono::seconds{3};
  Duration answer_within = std::chrono::seconds{5};
  Duration gap_pause = std::chrono::seconds{1};  // Between snapshots, however many gaps there are.
};

class KafkaSnapshots {
 public:
  KafkaSnapshots(const KafkaSnapshotTimes& times, std::uint64_t seed) : times_(times), random_(seed) {}

  void opened(const std::string& ns, Time now);
  void begin() { has_begun_ = true; }  // Namespaces that are opened now did not exist at the start.
  void event(const std::string& ns, Time now);
  void gap(const std::string& ns, Time now);
  void came(const std::string& ns, bool is_empty, Time now);
  void connected(Time now);
  void disconnected() { is_connected_ = false; }

  // The namespaces to ask a snapshot for now; each is asked for again only after `answer_within`.
  std::vector<std::string> take_due(Time now);
  Time next_wake() const;
  // Whether no snapshot is owed: of the start, of the last connection, of a gap.
  bool all_came() const;

 private:
  struct Stream {
    Time due = Time::min();
    Time asked = Time::min();
    bool is_owed = false;   // It must come, even if empty.
    bool is_quiet = false;  // The last snapshot was empty and nothing happened since.
  };

  Stream& stream_of(const std::string& ns, Time now);
  Duration share_of(Duration whole);

  const KafkaSnapshotTimes times_;
  Random random_;
  bool has_begun_ = false;
  bool is_connected_ = false;
  bool was_connected_ = false;
  std::map<std::string, Stream> streams_;  // Bounded by the daemon's limit of namespaces.
};

}  // namespace hotkeyd
