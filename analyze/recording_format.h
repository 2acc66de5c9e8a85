// Tells from its first bytes what a recording is. Pure.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace hotkeyd {

enum class RecordingFormat : std::uint8_t { monitor, csv };

// `head` is the file's beginning: enough of it is more than the longest line that LineSplitter keeps. At
// least half of the first 100 lines must be of the format (blank ones do not count; a file of nothing else is
// taken as CSV). The error says what the file is instead, and what to do.
Result<RecordingFormat> recording_format(std::string_view head);

}  // namespace hotkeyd
