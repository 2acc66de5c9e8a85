// Everything that is shown at one scrape, as plain values: each part is copied on the thread that owns it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "publisher/stats.h"
#include "server/http_stats.h"
#include "server/stats.h"

namespace hotkeyd {

// What the operating system says of this process.
struct ProcessStats {
  double cpu_seconds = 0;  // User and system.
  std::uint64_t resident_bytes = 0;
  std::uint64_t virtual_bytes = 0;
  std::size_t open_fds = 0;
  std::size_t threads = 0;
};

// Reads /proc/self; zeros where it cannot be read.
ProcessStats read_process_stats();

// Of the state file; without one all is zero.
struct StateFileStats {
  std::uint64_t saved = 0;
  std::uint64_t failed = 0;
  UnixMs last_saved_ms = 0;
  bool is_unsaved = false;  // Orders or the hot set are not on the disk as they are.
};

struct ControlStats {
  std::string version;
  UnixMs started_ms = 0;
  bool last_reload_successful = true;  // The start counts as the first reload.
  UnixMs last_reload_success_ms = 0;
  std::uint64_t dropped_relays = 0;  // Foreign invalidations that came faster than the data thread took them.
  StateFileStats state;
  HttpStats http;
  ProcessStats process;
};

struct AllStats {
  DataStats data;
  std::vector<PublisherStats> publishers;
  ControlStats control;
};

}  // namespace hotkeyd
