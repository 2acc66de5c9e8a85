// Reports to a daemon: a steady background of other keys, and from time to time a probe, a report of a key of
// its own ("probe:<number>") that lifts it over its threshold at once.
//
// The daemon needs a rule that promotes "probe:*" at up to 1000/s, none for "key:*". Times begin before the
// probe is written, so they hold what the application pays. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "bench/support/batch_ring.h"
#include "bench/support/load_connection.h"
#include "bench/support/probe_options.h"

namespace hotkeyd {

class ProbeTraffic {
 public:
  // When each probe was sent; what is to be read is there; returns whether every event has come.
  using Receive = std::function<bool(const std::vector<Time>& sent)>;

  explicit ProbeTraffic(const ProbeOptions& options);

  // Two seconds of background, the probes in its midst, and five seconds for the last events. `receive` is
  // called each millisecond, and when one of `fds` can be read.
  void run(const std::vector<int>& fds, const Receive& receive);
  // "background_rows_per_second n"
  void print() const;

 private:
  void send_background(double seconds);
  void send_probe();
  void turn(const std::vector<int>& fds);

  const ProbeOptions& options_;
  BatchRing ring_;
  LoadConnection background_;
  LoadConnection probes_;
  std::string probe_;
  std::vector<Time> sent_;
  ReportTotals totals_;
  std::uint64_t seq_ = 0;
  double background_rate_ = 0;
};

}  // namespace hotkeyd
