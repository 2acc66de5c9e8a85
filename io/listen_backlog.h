// How many connections may wait to be accepted; the kernel lowers it to net.core.somaxconn.
#pragma once

namespace hotkeyd {

inline constexpr int kListenBacklog = 4096;

}  // namespace hotkeyd
