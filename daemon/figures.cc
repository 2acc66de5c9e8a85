#include "daemon/figures.h"

#include <utility>

#include "base/version.h"

namespace hotkeyd {

Figures::Figures(const Publishers& publishers, const RelayGate& relays, UnixMs started_ms)
    : publishers_(publishers), relays_(relays) {
  noted_.version = kVersion;
  noted_.started_ms = started_ms;
  noted_.last_reload_success_ms = started_ms;
}

void Figures::note_http(const HttpStats& stats) {
  const std::lock_guard lock(mutex_);
  noted_.http = stats;
}

void Figures::note_reload(bool successful, UnixMs now_ms) {
  const std::lock_guard lock(mutex_);
  noted_.last_reload_successful = successful;
  if (successful) noted_.last_reload_success_ms = now_ms;
}

void Figures::note_state(const StateFileStats& stats) {
  const std::lock_guard lock(mutex_);
  noted_.state = stats;
}

AllStats Figures::all(DataStats data) const {
  AllStats stats;
  stats.data = std::move(data);
  stats.publishers = publishers_.stats();
  {
    const std::lock_guard lock(mutex_);
    stats.control = noted_;
  }
  stats.control.process = read_process_stats();
  stats.control.dropped_relays = relays_.dropped();
  return stats;
}

}  // namespace hotkeyd
