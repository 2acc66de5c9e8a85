// What a publisher counts: metrics/ shows it.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace hotkeyd {

struct PublisherStats {
  std::string sink;
  std::uint64_t events = 0;                            // Sent and accepted.
  std::map<std::string, std::uint64_t> failed_events;  // queue_full connection refused_by_server timeout
  std::size_t queue_events = 0;
  std::size_t queue_bytes = 0;
  bool up = false;
  std::string state;  // One sentence for /readyz?verbose: "connected", "connection refused; next try in 2 s".
};

}  // namespace hotkeyd
