#include "server/untold.h"

#include <utility>

#include "server/key_event.h"

namespace hotkeyd {

Untold to_untold(Decision&& decision, std::optional<Time> read_at) {
  const std::uint64_t seq = decision.key.seq;
  return {to_event_type(decision.kind), seq, decision.at_ms, std::move(decision.key), read_at};
}

}  // namespace hotkeyd
