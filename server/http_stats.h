// What the HTTP server counts: metrics/ shows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace hotkeyd {

struct HttpStats {
  std::size_t clients = 0;
  std::map<int, std::uint64_t> responses;  // By status.
  std::uint64_t cut_clients = 0;           // Made room for others at the limit, without a complete request.
  std::uint64_t slow_clients = 0;          // Did not send a request in time.
  std::uint64_t accept_errors = 0;
};

}  // namespace hotkeyd
