// Tells from its first bytes what a recording is. Pure.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace hotkeyd {

enum class RecordingFormat : std::uint8_t { monitor, csv };

// `head` is the file's beginning; 64 KiB are plenty. The first lines that say something decide; a file of
// blank lines is taken as CSV. The error says what the file is instead, and what to do.
Result<RecordingFormat> recording_format(std::string_view head);

}  // namespace hotkeyd
