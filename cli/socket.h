// Connects a socket within a time limit. Errors are the cause alone: "Connection refused".
#pragma once

#include "base/clock.h"
#include "base/endpoint.h"
#include "base/result.h"

namespace hotkeyd {

// The number of a connected, non-blocking socket; the caller closes it.
Result<int> connect_socket(const Endpoint& endpoint, Duration timeout);

// Waits until the descriptor can be read (or written); false when the deadline comes first.
bool wait_readable(int descriptor, Time deadline);
bool wait_writable(int descriptor, Time deadline);

}  // namespace hotkeyd
