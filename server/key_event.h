// From what the detector decided to what the wire says: HotKey to KeyData. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "detector/decision.h"
#include "wire/event.h"

namespace hotkeyd {

KeyData to_key_data(const HotKey& key, std::int64_t lease_ms);
EventType to_event_type(DecisionKind kind);
// encode_key_data of each, in the order given.
std::vector<std::string> encode_hot_keys(const Stream& stream, const std::vector<const HotKey*>& keys,
                                         std::int64_t lease_ms);

}  // namespace hotkeyd
