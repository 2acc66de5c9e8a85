// `listen` and `http`: where the daemon can be reached.
#include <algorithm>
#include <charconv>
#include <set>

#include "base/text.h"
#include "config/sections.h"
#include "config/values.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kListensMax = 16;

// Only what needs no resolver to tell: a name such as 127.evil.example may lead anywhere.
bool is_loopback(const Endpoint& endpoint) {
  if (endpoint.is_unix() || endpoint.host == "localhost" || endpoint.host == "::1") return true;
  const bool is_v4 = endpoint.host.find_first_not_of("0123456789.") == std::string::npos;
  return is_v4 && endpoint.host.starts_with("127.");
}

Result<Endpoint> parse_listen_url(std::string_view url) {
  if (url.starts_with("tls://")) return Error{"tls:// is not in this version"};
  auto endpoint = parse_endpoint(url, "unix tcp");
  if (!endpoint) return endpoint;
  if (endpoint->has_password || !endpoint->user.empty()) return Error{"a listen has no user or password"};
  if (is_loopback(*endpoint)) return endpoint;
  return Error{
      "beyond loopback needs auth, which is not in this version: listen on a unix socket or 127.0.0.1"};
}

Result<Endpoint> parse_http_address(std::string_view address) {
  if (address.find("://") != std::string_view::npos) return Error{"must be host:port without a scheme"};
  auto endpoint = parse_endpoint("tcp://" + std::string(address), "tcp");
  if (!endpoint) return endpoint;
  if (endpoint->has_password || !endpoint->user.empty()) return Error{"must be host:port"};
  return endpoint;
}

Result<std::uint32_t> parse_mode(std::string_view digits) {
  std::uint32_t mode = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), mode, 8);
  const bool is_octal = parsed.ec == std::errc{} && parsed.ptr == digits.data() + digits.size();
  if (!is_octal || digits.size() < 3 || digits.size() > 4)
    return Error{"must be octal digits in quotes, such as \"0660\""};
  if (mode > 0777) return Error{"must be at most \"0777\": a socket has no other bits"};
  return mode;
}

Result<std::string> parse_group(std::string_view name) {
  const bool is_short = !name.empty() && name.size() <= 64;
  if (is_short && is_valid_name(name)) return std::string(name);
  return Error{"must be the name of a group"};
}

void refuse_on_tcp(MapReader& map, const Endpoint& endpoint, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const YamlNode* node = map.take(name);
    if (node != nullptr && !endpoint.is_unix()) map.complain(*node, name, "only a unix socket has one");
  }
}

// nullopt where the url is missing or wrong.
std::optional<ListenOptions> read_listen_map(const YamlNode& node, const std::string& path,
                                             ReadContext& context) {
  MapReader map(node, path, context);
  ListenOptions listen;
  const YamlNode* url = map.take_required("url");
  const auto endpoint = url == nullptr
                            ? std::nullopt
                            : read_value<Endpoint>(*url, map.path_of("url"), context, parse_listen_url);
  const YamlNode* mode = map.read("mode", listen.mode, parse_mode);
  if (mode != nullptr && mode->is_scalar() && !mode->is_quoted) {
    map.complain(*mode, "mode",
                 "must be in quotes, such as \"0660\", since YAML reads a bare number its own way");
  }
  map.read("group", listen.group, parse_group);
  if (endpoint) refuse_on_tcp(map, *endpoint, {"mode", "group"});
  map.finish();
  if (!endpoint) return std::nullopt;
  listen.endpoint = *endpoint;
  return listen;
}

std::optional<ListenOptions> read_one(const YamlNode& node, const std::string& path, ReadContext& context) {
  if (node.is_map()) return read_listen_map(node, path, context);
  auto endpoint = read_value<Endpoint>(node, path, context, parse_listen_url);
  if (!endpoint) return std::nullopt;
  ListenOptions listen;
  listen.endpoint = std::move(*endpoint);
  return listen;
}

}  // namespace

std::vector<ListenOptions> read_listen(const YamlNode& node, ReadContext& context) {
  const auto items = read_list(node, "listen", kListensMax, context);
  if (node.is_list() && node.values.empty())
    context.problems.add(node.place, "listen", "needs at least one address");
  std::vector<ListenOptions> listens;
  std::set<std::string> taken;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string path = "listen[" + std::to_string(i) + "]";
    auto listen = read_one(items[i], path, context);
    if (!listen) continue;
    const bool is_new = taken.insert(listen->endpoint.address()).second;
    const bool is_any_port = !listen->endpoint.is_unix() && listen->endpoint.port == 0;
    if (!is_new && !is_any_port) context.problems.add(items[i].place, path, "this address is given twice");
    listens.push_back(std::move(*listen));
  }
  return listens;
}

void read_http(const YamlNode& node, HttpOptions& options, ReadContext& context) {
  if (node.is_scalar() && node.text == "off") {
    options.listen = std::nullopt;
    return;
  }
  MapReader map(node, "http", context);
  map.read("listen", options.listen, parse_http_address);
  map.refuse_later({"tokens"});
  map.finish();
}

}  // namespace hotkeyd
