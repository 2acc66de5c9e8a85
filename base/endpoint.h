// Addresses as users write them: unix:///path, tcp://[user:pass@]host:port, tls://..., redis://...,
// rediss://..., redis+unix:///path. Pure; standard library only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hotkeyd {

struct Endpoint {
  std::string scheme;  // "unix", "tcp", "redis+unix", ... as written.
  std::string path;    // Unix sockets only.
  std::string host;    // Without the brackets of an IPv6 address.
  std::uint16_t port = 0;
  std::string user;      // Percent-decoded; empty when absent.
  std::string password;  // Percent-decoded; empty when absent.
  bool has_password = false;
  int database = 0;  // redis://host:port/3

  bool operator==(const Endpoint&) const = default;
  bool is_unix() const { return !path.empty(); }
  // "127.0.0.1:6379", "[::1]:6379" or the path: for messages, without secrets.
  std::string address() const;
  // The endpoint as a URL with the password shown as "***".
  std::string redacted() const;
};

// The scheme must be one of `schemes` (space separated); port is required unless `default_port` is not 0.
Result<Endpoint> parse_endpoint(std::string_view url, std::string_view schemes,
                                std::uint16_t default_port = 0);

}  // namespace hotkeyd
