// What a fake daemon says of keys that may have a local copy.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wire/event.h"

namespace hotkeyd::sdk {

inline const Stream kFrom{"web-17", 100, "shop"};
inline constexpr EventNearCache kMinute{60'000, 1 << 20};

inline KeyData data_of(const std::string& key, std::uint64_t seq, std::optional<EventNearCache> near_cache) {
  KeyData data;
  data.key = key;
  data.seq = seq;
  data.actions.near_cache = near_cache;
  return data;
}

inline std::string key_event(EventType type, std::uint64_t seq, const std::string& key,
                             std::optional<EventNearCache> near_cache = kMinute) {
  return encode_key_event(kFrom, type, data_of(key, seq, near_cache), 0);
}

inline std::string snapshot(std::uint64_t seq, const std::vector<std::string>& keys,
                            std::optional<EventNearCache> near_cache = kMinute) {
  std::vector<std::string> entries;
  for (const std::string& key : keys)
    entries.push_back(encode_key_data(kFrom, data_of(key, seq, near_cache)));
  return encode_snapshot_part(kFrom, seq, 0, 10'000, 1, 1, entries);
}

}  // namespace hotkeyd::sdk
