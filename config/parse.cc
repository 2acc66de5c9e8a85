#include <chrono>

#include "base/text.h"
#include "config/config.h"
#include "config/defaults.h"
#include "config/map_reader.h"
#include "config/sections.h"
#include "config/values.h"
#include "config/yaml_tree.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kStatePathMax = 3900;  // Below PATH_MAX, with room for what is set aside.

void read_node(MapReader& map, Config& config, const HostFacts& host) {
  config.node = default_node(host.hostname);
  map.read("node", config.node, parse_name);
}

void read_namespace_limits(MapReader& map, DetectorOptions& detector, ReadContext& context) {
  const YamlNode* limit = map.read("namespaces_max", detector.namespaces_max, whole<std::size_t>(1, 1024));
  const YamlNode* fixed = map.take("namespaces");
  if (fixed == nullptr) return;
  detector.namespaces = read_namespaces(*fixed, context);
  detector.namespaces_max = detector.namespaces.size();
  if (limit != nullptr)
    map.complain(*limit, "namespaces_max", "excludes namespaces: a fixed set needs no limit");
}

void read_times(MapReader& map, Config& config) {
  map.read("lease", config.lease, duration_between(1s, 1h));
  map.read("drain", config.drain, duration_between(0ms, 10min));
}

// `off`: none, whatever $STATE_DIRECTORY says.
Result<std::optional<std::string>> parse_state(std::string_view text) {
  if (text == "off") return std::optional<std::string>();
  if (!text.starts_with('/') || text.ends_with('/')) {
    return Error{"needs the absolute path of a file, such as /var/lib/hotkeyd/state, or off"};
  }
  if (text.size() > kStatePathMax || text.find('\0') != std::string_view::npos) {
    return Error{"is no path: at most 3900 bytes, none of them NUL"};
  }
  return std::optional<std::string>(text);
}

void read_state(MapReader& map, Config& config) { map.read("state", config.state, parse_state); }

void read_parts(MapReader& map, Config& config, ReadContext& context) {
  if (const YamlNode* node = map.take("listen")) config.server.listen = read_listen(*node, context);
  if (const YamlNode* node = map.take("http")) read_http(*node, config.http, context);
  if (const YamlNode* node = map.take("detector")) read_detector(*node, config.detector, context);
  if (const YamlNode* node = map.take("rules")) {
    config.detector.rules = read_rules(*node, config.detector, context);
    config.has_rules = true;
  }
  if (const YamlNode* node = map.take("publishers")) {
    config.publishers = read_publishers(*node, config.lease, context);
  }
  if (const YamlNode* node = map.take("log")) read_log(*node, config, context);
}

Config read_config(const YamlNode& root, ReadContext& context) {
  Config config = embedded_default(context.host);
  MapReader map(root, "", context);
  read_node(map, config, context.host);
  read_namespace_limits(map, config.detector, context);
  read_times(map, config);
  read_state(map, config);
  read_parts(map, config, context);
  map.refuse_later({"auth", "tls", "sources", "authoritative", "hot_pool", "privacy", "metrics"});
  map.finish();
  config.server.node = config.node;
  config.server.lease = config.lease;
  return config;
}

ConfigOutcome refused(const Problems& problems, std::string_view file_name) {
  return {std::nullopt, problems.lines(file_name)};
}

}  // namespace

ConfigOutcome parse_config(std::string_view text, std::string_view file_name, const HostFacts& host) {
  Problems problems;
  ReadContext context{host, problems};
  if (text.size() > kConfigBytesMax) {
    problems.add({}, "", "the file is larger than 1 MiB");
    return refused(problems, file_name);
  }
  const auto parsed = parse_yaml(text);
  if (const auto* problem = std::get_if<Problem>(&parsed)) {
    problems.add(*problem);
    return refused(problems, file_name);
  }
  const YamlNode& root = std::get<YamlNode>(parsed);
  const bool is_blank = root.kind == YamlNode::Kind::empty;
  YamlNode no_keys;
  no_keys.kind = YamlNode::Kind::map;
  Config config = read_config(is_blank ? no_keys : root, context);
  if (!problems.empty()) return refused(problems, file_name);
  return {std::move(config), {}};
}

}  // namespace hotkeyd
