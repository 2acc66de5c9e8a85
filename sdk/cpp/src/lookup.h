// Resolves a host name without blocking: getaddrinfo may take a minute, so it has a thread of its own, which
// the client does not wait for. Numeric addresses need no thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sdk/cpp/src/connection.h"

namespace hotkeyd::sdk {

class Lookup {
 public:
  using Addresses = Result<std::vector<Address>>;

  static std::shared_ptr<Lookup> start(const std::string& host, std::uint16_t port);
  std::optional<Addresses> result();  // nullopt while it goes on.

 private:
  void finish(Addresses addresses);

  std::mutex mutex_;
  std::optional<Addresses> result_;
};

}  // namespace hotkeyd::sdk
