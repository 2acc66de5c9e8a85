// The tables and sentences of list, episodes, explain and status, made of the daemon's JSON.
//
// Printable ASCII whatever the keys, sorted, the same for the same input. Pure; one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"

namespace hotkeyd {

// By falling rate, ties by key bytes. `now` is for how long a key has been hot.
std::string hot_keys_table(const std::vector<std::string>& key_data, UnixMs now);
std::string episodes_table(const std::vector<std::string>& episodes, UnixMs now);
// `answer` is that of HOTKEY GET; empty for nil.
std::string explanation(const std::string& key, const std::string& answer, UnixMs now);
// Who answers at the address, and its counters that are not zero; buckets of histograms are left to --json.
std::string status_text(const std::string& stats, const std::string& address, UnixMs now);

}  // namespace hotkeyd
