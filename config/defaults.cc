#include "config/defaults.h"

#include "base/text.h"
#include "config/config.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kSocketPathMax = 107;
constexpr std::uint16_t kRespPort = 7420;
constexpr std::uint16_t kHttpPort = 7421;

Endpoint loopback(std::uint16_t port) {
  Endpoint endpoint;
  endpoint.scheme = "tcp";
  endpoint.host = "127.0.0.1";
  endpoint.port = port;
  return endpoint;
}

Endpoint unix_socket(std::string path) {
  Endpoint endpoint;
  endpoint.scheme = "unix";
  endpoint.path = std::move(path);
  return endpoint;
}

}  // namespace

std::string default_node(std::string_view hostname) {
  std::string node(hostname.substr(0, 128));
  for (char& c : node) {
    if (!is_valid_name(std::string_view(&c, 1))) c = '-';
  }
  return node.empty() ? "localhost" : node;
}

std::string default_socket(const HostFacts& host) {
  for (const char* name : {"RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"}) {
    const auto found = host.environment.find(name);
    if (found == host.environment.end()) continue;
    std::string path = found->second.substr(0, found->second.find(':')) + "/hotkeyd.sock";
    if (path[0] == '/' && path != "/hotkeyd.sock" && path.size() <= kSocketPathMax) return path;
  }
  return "/run/hotkeyd/hotkeyd.sock";
}

std::optional<std::string> default_state(const HostFacts& host) {
  const auto found = host.environment.find("STATE_DIRECTORY");
  if (found == host.environment.end() || !found->second.starts_with('/')) return std::nullopt;
  return found->second.substr(0, found->second.find(':')) + "/state";
}

Config embedded_default(const HostFacts& host) {
  Config config;
  config.node = default_node(host.hostname);
  config.server.node = config.node;
  config.server.lease = config.lease;
  config.server.listen = {ListenOptions{unix_socket(default_socket(host)), 0660, std::nullopt},
                          ListenOptions{loopback(kRespPort), 0660, std::nullopt}};
  config.http.listen = loopback(kHttpPort);
  config.detector.rules = {default_rule()};
  config.state = default_state(host);
  return config;
}

}  // namespace hotkeyd
