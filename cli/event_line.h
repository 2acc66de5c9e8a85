// One event as one readable line: time, what, rate, class, reason, rule, key. Printable ASCII. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "wire/event.h"

namespace hotkeyd {

// `what` is "promoted", "demoted", ...; without a trailing line feed.
std::string key_line(std::string_view what, const KeyData& data, UnixMs at);
std::string invalidated_line(std::string_view key, UnixMs at);
std::string plain_line(std::string_view what, std::string_view text, UnixMs at);

}  // namespace hotkeyd
