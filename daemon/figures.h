// All figures of the daemon in one place, for /metrics and HOTKEY STATS.
//
// Each thread's figures are copied on that thread: those of the data thread come with the question, those of
// the control thread are noted here as they change. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "base/clock.h"
#include "daemon/publishers.h"
#include "daemon/relay_gate.h"
#include "metrics/stats.h"

namespace hotkeyd {

class Figures {
 public:
  Figures(const Publishers& publishers, const RelayGate& relays, UnixMs started_ms);

  // Control thread: what it counted, and how the newest reload ended.
  void note_http(const HttpStats& stats);
  void note_reload(bool successful, UnixMs now_ms);
  // Data thread.
  void note_state(const StateFileStats& stats);

  AllStats all(DataStats data) const;

 private:
  const Publishers& publishers_;
  const RelayGate& relays_;
  mutable std::mutex mutex_;
  ControlStats noted_;  // Guarded by mutex_.
};

}  // namespace hotkeyd
