// `publishers`: the remote sinks.
#include <algorithm>
#include <set>

#include "config/sections.h"
#include "config/values.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kPublishersMax = 16;

Result<PublisherType> parse_type(std::string_view text) {
  return choice<PublisherType, 2>({{{"redis", PublisherType::redis}, {"kafka", PublisherType::kafka}}})(text);
}

Result<Endpoint> parse_redis_endpoint(std::string_view url) {
  for (const std::string_view later : {"rediss://", "redis+cluster://", "redis+sentinel://"}) {
    if (url.starts_with(later)) return Error{std::string(later) + " is not in this version"};
  }
  return parse_endpoint(url, "redis redis+unix", 6379);
}

void check_heartbeat(MapReader& map, const YamlNode* node, const PublisherOptions& options, Duration lease) {
  if (node == nullptr || !options.heartbeat || *options.heartbeat * 3 <= lease) return;
  map.complain(*node, "heartbeat", "must be at most a third of the lease (" + write_duration(lease) + ")");
}

void read_redis(MapReader& map, PublisherOptions& options, Duration lease, ReadContext& context) {
  if (const YamlNode* endpoint = map.take_required("endpoint")) {
    auto value = read_value<Endpoint>(*endpoint, map.path_of("endpoint"), context, parse_redis_endpoint);
    if (value) options.endpoint = std::move(*value);
  }
  const YamlNode* heartbeat = map.read("heartbeat", options.heartbeat, duration_between(100ms, 1h));
  check_heartbeat(map, heartbeat, options, lease);
  map.read("relay", options.relay, parse_bool);
  if (!options.heartbeat) options.heartbeat = default_heartbeat(lease);
}

// nullopt where the type is unknown: the other keys depend on it.
std::optional<PublisherOptions> read_publisher(const YamlNode& node, const std::string& path, Duration lease,
                                               ReadContext& context) {
  PublisherOptions options;
  MapReader map(node, path, context);
  if (const YamlNode* type = map.take_required("type")) {
    const auto known = read_value<PublisherType>(*type, map.path_of("type"), context, parse_type);
    if (!known) return std::nullopt;
    options.type = *known;
  }
  const bool is_kafka = options.type == PublisherType::kafka;
  if (is_kafka) options.name = "kafka";
  map.read("name", options.name, parse_label);
  if (is_kafka) {
    read_kafka(map, options.kafka, context);
  } else {
    read_redis(map, options, lease, context);
  }
  map.read("queue_events_max", options.queue_events_max, whole<std::size_t>(16, 1'000'000));
  map.read("queue_bytes_max", options.queue_bytes_max, size_between(4 << 20, 1 << 30));
  map.finish();
  return options;
}

}  // namespace

Duration default_heartbeat(Duration lease) {
  return std::min<Duration>(3s, std::chrono::milliseconds{to_ms(lease) / 3});
}

std::vector<PublisherOptions> read_publishers(const YamlNode& node, Duration lease, ReadContext& context) {
  const auto items = read_list(node, "publishers", kPublishersMax, context);
  std::vector<PublisherOptions> publishers;
  std::set<std::string> taken;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string path = "publishers[" + std::to_string(i) + "]";
    auto publisher = read_publisher(items[i], path, lease, context);
    if (!publisher) continue;
    if (!taken.insert(publisher->name).second) {
      context.problems.add(items[i].place, path, "its name is taken: give each publisher a name of its own");
    }
    publishers.push_back(std::move(*publisher));
  }
  return publishers;
}

}  // namespace hotkeyd
