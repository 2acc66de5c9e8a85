// An event that has its number but was not told yet: decisions take effect at once, and are told at a pace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "detector/decision.h"
#include "wire/event.h"

namespace hotkeyd {

struct Untold {
  EventType type = EventType::promoted;
  std::uint64_t seq = 0;
  UnixMs at_ms = 0;
  HotKey key;  // promoted, updated, demoted; of an invalidation only the key's bytes.
  // When the batch was read whose access decided it; nullopt where no access did.
  std::optional<Time> read_at;

  std::size_t bytes() const { return sizeof(Untold) + key.key.size(); }
};

Untold to_untold(Decision&& decision, std::optional<Time> read_at);

}  // namespace hotkeyd
