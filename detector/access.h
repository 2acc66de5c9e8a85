// What was observed: accesses to one key, as one row of a report says them.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/clock.h"

namespace hotkeyd {

struct Access {
  std::string_view key;     // Borrowed: valid only during the call that passes it.
  std::uint64_t reads = 0;  // All reads, those answered locally and those that missed included.
  std::uint64_t writes = 0;
  std::uint64_t misses = 0;      // Inside reads.
  std::uint64_t local_hits = 0;  // Inside reads.
  std::uint64_t bytes = 0;       // Summed value size; 0 when unknown.
};

// What is known of a whole batch.
struct BatchInfo {
  Duration age{};          // Of its oldest access. At most two slots: taken as received now. More: spread.
  double factor = 1;       // Accesses that one reported access stands for (sampling); 1 to 1000.
  std::uint64_t lost = 0;  // Accesses of the namespace that this batch shows to be lost.
};

}  // namespace hotkeyd
