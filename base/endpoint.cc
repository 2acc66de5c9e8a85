#include "base/endpoint.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace hotkeyd {
namespace {

bool names(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t end = list.find(' ');
    if (list.substr(0, end) == word) return true;
    if (end == std::string_view::npos) return false;
    list.remove_prefix(end + 1);
  }
  return false;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> percent_decode(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    if (at + 2 >= text.size()) return std::nullopt;
    const int high = hex_value(text[at + 1]);
    const int low = hex_value(text[at + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return out;
}

Result<void> parse_login(std::string_view login, Endpoint& endpoint) {
  const std::size_t colon = login.find(':');
  const auto user = percent_decode(login.substr(0, colon));
  const auto password = percent_decode(colon == std::string_view::npos ? "" : login.substr(colon + 1));
  if (!user || !password) return Error{"a % in user or password must be followed by two hex digits"};
  endpoint.user = *user;
  endpoint.password = *password;
  endpoint.has_password = colon != std::string_view::npos;
  return {};
}

Result<void> parse_port(std::string_view digits, Endpoint& endpoint) {
  const auto port = parse_unsigned(digits);
  if (!port || *port > 65535) return Error{"port must be a number from 0 to 65535"};
  endpoint.port = static_cast<std::uint16_t>(*port);
  return {};
}

Result<void> parse_authority(std::string_view text, std::uint16_t default_port, Endpoint& endpoint) {
  const std::size_t bracket = text.empty() || text[0] != '[' ? std::string_view::npos : text.find(']');
  const bool is_v6 = bracket != std::string_view::npos;
  const std::size_t colon = text.find(':', is_v6 ? bracket : 0);
  if (is_v6 && bracket + 1 != std::min(colon, text.size())) return Error{"only :port may follow the ]"};
  endpoint.host = std::string(is_v6 ? text.substr(1, bracket - 1) : text.substr(0, colon));
  if (endpoint.host.empty()) return Error{"host is missing"};
  if (colon != std::string_view::npos) return parse_port(text.substr(colon + 1), endpoint);
  if (default_port == 0) return Error{"port is missing"};
  endpoint.port = default_port;
  return {};
}

Result<void> parse_database(std::string_view digits, Endpoint& endpoint) {
  const auto database = parse_unsigned(digits);
  if (!database || *database > 1'000'000) return Error{"the database after / must be a number"};
  endpoint.database = static_cast<int>(*database);
  return {};
}

Result<void> parse_network(std::string_view rest, std::uint16_t default_port, Endpoint& endpoint) {
  const std::size_t at = rest.rfind('@');
  if (at != std::string_view::npos) {
    if (auto login = parse_login(rest.substr(0, at), endpoint); !login) return login;
    rest.remove_prefix(at + 1);
  }
  const std::size_t slash = rest.find('/');
  if (auto authority = parse_authority(rest.substr(0, slash), default_port, endpoint); !authority)
    return authority;
  if (slash == std::string_view::npos || slash + 1 == rest.size()) return {};
  if (!endpoint.scheme.starts_with("redis")) return Error{"nothing may follow the port"};
  return parse_database(rest.substr(slash + 1), endpoint);
}

}  // namespace

std::string Endpoint::address() const {
  if (is_unix()) return path;
  const bool is_v6 = host.find(':') != std::string::npos;
  return (is_v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::string Endpoint::redacted() const {
  const std::string login = has_password ? user + ":***@" : user.empty() ? "" : user + "@";
  const std::string tail = database == 0 ? "" : "/" + std::to_string(database);
  return scheme + "://" + login + address() + tail;
}

Result<Endpoint> parse_endpoint(std::string_view url, std::string_view schemes, std::uint16_t default_port) {
  Endpoint endpoint;
  const std::size_t end = url.find("://");
  endpoint.scheme = std::string(url.substr(0, end));
  if (end == std::string_view::npos || !names(schemes, endpoint.scheme)) {
    return Error{"endpoint must start with one of: " + std::string(schemes)};
  }
  const std::string_view rest = url.substr(end + 3);
  if (endpoint.scheme == "unix" || endpoint.scheme == "redis+unix") {
    if (rest.empty() || rest[0] != '/')
      return Error{"the path of a unix socket must be absolute: unix:///path"};
    if (rest.find('\0') != std::string_view::npos)
      return Error{"the path of a unix socket must not hold a NUL"};
    if (rest.size() > 107) return Error{"the path of a unix socket must be at most 107 bytes"};
    endpoint.path = std::string(rest);
    return endpoint;
  }
  if (auto network = parse_network(rest, default_port, endpoint); !network) return Error{network.error()};
  return endpoint;
}

}  // namespace hotkeyd
