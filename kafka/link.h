// What is known of the way to the broker: connected or not, refused for how long, and the sentence that says
// so. Pure; one thread.
#pragma once

#include <optional>
#include <string>

#include "base/backoff.h"
#include "base/clock.h"

namespace hotkeyd {

class KafkaLink {
 public:
  explicit KafkaLink(std::uint64_t seed);

  // Each says whether a connection stands that did not stand before.
  bool reached(bool is_connected);
  bool accepted();  // The broker acknowledged a record.

  void troubled(const std::string& reason);  // A connection failed; others may stand.
  void cut_off();                            // None stands.
  // Records were refused for a reason that may go away: nothing is to be sent for a while, which grows.
  void refused(const std::string& reason, Time now);

  bool is_connected() const { return is_connected_; }
  bool is_refused() const { return !refusal_.empty(); }
  bool may_send(Time now) const { return now >= pause_until_; }
  Time next_send() const { return pause_until_; }
  // Whether records flow: connected, nothing refused, and the oldest unacknowledged one is not too old.
  bool flows(std::optional<Time> oldest, Time now) const;
  std::string state(std::optional<Time> oldest, Time now) const;

 private:
  bool connect();

  Backoff retry_;
  bool is_connected_ = false;
  std::string trouble_ = "connecting";  // Why no connection stands.
  std::string refusal_;                 // Empty unless the last record was refused.
  Time pause_until_ = Time::min();
};

}  // namespace hotkeyd
