// What a measurement with probes is told: where the daemon is, how many keys jump, what else it counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "bench/support/batch_ring.h"

namespace CLI {
class App;
}

namespace hotkeyd {

struct ProbeOptions {
  std::string socket;
  std::size_t probes = 1000;
  std::uint64_t background = 1'000'000;  // Rows a second.
  std::uint64_t interval_ms = 10;        // Between probes.
  BatchRingOptions ring;
};

// The defaults, with a producer of this run: `program` and the process.
ProbeOptions make_probe_options(const std::string& program);
void add_probe_options(CLI::App& app, ProbeOptions& options);

}  // namespace hotkeyd
