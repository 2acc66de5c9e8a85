// How long after each probe its event came to one receiver. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace hotkeyd {

class ProbeTimes {
 public:
  explicit ProbeTimes(std::size_t probes) : came_after_(probes, -1) {}

  // The event of the probe with this number came now; only the first one counts, and none of a probe not sent
  // yet (an earlier run's).
  void came(std::string_view number, const std::vector<Time>& sent);
  bool is_complete() const { return received_ == came_after_.size(); }
  // "name_received n" and percentiles in microseconds, a line each.
  void print(const std::string& name) const;

 private:
  std::vector<double> came_after_;  // Seconds; negative until it came.
  std::size_t received_ = 0;
};

}  // namespace hotkeyd
