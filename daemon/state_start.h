// What a starting daemon makes of the state that the one before left. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "daemon/state_codec.h"
#include "detector/saved_state.h"

namespace hotkeyd {

struct StateStart {
  std::uint64_t epoch = 0;  // Larger than any before it, also after the clock was set back.
  SavedOrders orders;
  SavedHotSets hot;         // Only one that others still hold.
  UnixMs hot_at_ms = 0;     // When it was so.
  std::string hot_refused;  // Why the saved hot set does not go on; empty: it does, or there was none.
};

StateStart plan_start(std::optional<StoredState> left, std::string_view node, UnixMs now_ms);

}  // namespace hotkeyd
