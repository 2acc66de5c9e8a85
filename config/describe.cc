#include "config/describe.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "config/expand.h"
#include "config/units.h"
#include "kafka/properties.h"

namespace hotkeyd {
namespace {

YamlNode plain(std::string text) {
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.text = std::move(text);
  return node;
}

// Text that came from the file: in quotes, so that YAML and the variables leave it alone.
YamlNode quoted(const std::string& text) {
  YamlNode node = plain(escape_variables(text));
  node.is_quoted = true;
  return node;
}

template <typename Number>
YamlNode number(Number value) {
  return plain(std::to_string(value));
}

YamlNode boolean(bool value) { return plain(value ? "true" : "false"); }

YamlNode empty_list() {
  YamlNode node;
  node.kind = YamlNode::Kind::list;
  return node;
}

class MapWriter {
 public:
  explicit MapWriter(bool is_flow = false) {
    map_.kind = YamlNode::Kind::map;
    map_.is_flow = is_flow;
  }

  MapWriter& add(std::string name, YamlNode value) {
    map_.keys.push_back(plain(std::move(name)));
    map_.values.push_back(std::move(value));
    return *this;
  }
  MapWriter& add_rate(std::string name, const std::optional<double>& rate) {
    return rate ? add(std::move(name), plain(write_rate(*rate))) : *this;
  }
  YamlNode take() { return std::move(map_); }

 private:
  YamlNode map_;
};

YamlNode describe(const ListenOptions& listen) {
  MapWriter map(true);
  map.add("url", quoted(listen.endpoint.redacted()));
  if (!listen.endpoint.is_unix()) return map.take();
  map.add("mode", quoted(fmt::format("{:04o}", listen.mode)));
  if (listen.group) map.add("group", quoted(*listen.group));
  return map.take();
}

YamlNode describe(const HttpOptions& http) {
  if (!http.listen) return plain("off");
  return MapWriter(true).add("listen", quoted(http.listen->address())).take();
}

YamlNode describe(const PromoteOptions& promote) {
  MapWriter map(true);
  map.add_rate("rate", promote.rate).add_rate("writes", promote.writes).add_rate("misses", promote.misses);
  if (promote.share) map.add("share", plain(write_fraction(*promote.share)));
  if (promote.share) map.add_rate("share_floor", promote.share_floor);
  return map.take();
}

YamlNode describe(const DemoteOptions& demote) {
  return MapWriter(true)
      .add_rate("rate", demote.rate)
      .add("after", plain(write_duration(demote.after)))
      .take();
}

YamlNode describe(const std::optional<NearCacheOptions>& near_cache) {
  if (!near_cache) return plain("off");
  return MapWriter(true)
      .add("ttl", plain(write_duration(near_cache->ttl)))
      .add("max_value_bytes", plain(write_size(near_cache->max_value_bytes)))
      .take();
}

void add_actions(MapWriter& map, const RuleOptions& rule) {
  map.add("near_cache", describe(rule.near_cache));
  if (rule.hot_pool) {
    map.add("hot_pool", MapWriter(true)
                            .add("copies", number(rule.hot_pool->copies))
                            .add_rate("at", rule.hot_pool->at)
                            .take());
  }
  if (rule.split) {
    map.add("split",
            MapWriter(true).add("shards", number(rule.split->shards)).add_rate("at", rule.split->at).take());
  }
  if (rule.alert) map.add("alert", MapWriter(true).add_rate("at", rule.alert->at).take());
}

std::string match_name(MatchKind kind) {
  if (kind == MatchKind::regex) return "regex";
  return kind == MatchKind::exact ? "exact" : "match";
}

YamlNode describe(const RuleOptions& rule, Duration base_window) {
  MapWriter map;
  map.add("name", quoted(rule.name)).add(match_name(rule.match_kind), quoted(rule.pattern));
  if (rule.ns) map.add("ns", quoted(*rule.ns));
  map.add("window", plain(write_duration(rule.window == Duration{} ? base_window : rule.window)));
  map.add("promote", describe(rule.promote)).add("demote", describe(rule.demote));
  add_actions(map, rule);
  return map.take();
}

YamlNode describe(const DetectorOptions& detector) {
  return MapWriter()
      .add("window", plain(write_duration(detector.window)))
      .add("slots", number(detector.slots))
      .add("memory_per_namespace", plain(write_size(detector.memory_per_namespace)))
      .add("names_max", plain(write_size(detector.names_max)))
      .add("top_k", number(detector.top_k))
      .add("hot_keys_max", number(detector.hot_keys_max))
      .add("admission", plain(detector.admission == Admission::randomized ? "randomized" : "heavy_keeper"))
      .take();
}

template <typename Items, typename Describe>
YamlNode list_of(const Items& items, const Describe& describe_item) {
  YamlNode list = empty_list();
  for (const auto& item : items) list.values.push_back(describe_item(item));
  return list;
}

void add_redis(MapWriter& map, const PublisherOptions& publisher) {
  map.add("endpoint", quoted(publisher.endpoint.redacted()));
  if (publisher.heartbeat) map.add("heartbeat", plain(write_duration(*publisher.heartbeat)));
  map.add("relay", boolean(publisher.relay));
}

void add_kafka(MapWriter& map, const KafkaOptions& kafka) {
  map.add("brokers", list_of(kafka.brokers, quoted)).add("topic", quoted(kafka.topic));
  MapWriter properties;
  for (const auto& [name, value] : kafka.properties) {
    properties.add(name, quoted(is_kafka_secret(name) ? "***" : value));
  }
  if (!kafka.properties.empty()) map.add("properties", properties.take());
}

YamlNode describe(const PublisherOptions& publisher) {
  const bool is_kafka = publisher.type == PublisherType::kafka;
  MapWriter map;
  map.add("type", plain(is_kafka ? "kafka" : "redis")).add("name", quoted(publisher.name));
  if (is_kafka) {
    add_kafka(map, publisher.kafka);
  } else {
    add_redis(map, publisher);
  }
  return map.add("queue_events_max", number(publisher.queue_events_max))
      .add("queue_bytes_max", plain(write_size(publisher.queue_bytes_max)))
      .take();
}

void add_namespaces(MapWriter& map, const DetectorOptions& detector) {
  if (detector.namespaces.empty()) {
    map.add("namespaces_max", number(detector.namespaces_max));
    return;
  }
  map.add("namespaces", list_of(detector.namespaces, [](const std::string& name) { return quoted(name); }));
}

}  // namespace

YamlNode describe(const Config& config) {
  MapWriter map;
  map.add("node", quoted(config.node));
  add_namespaces(map, config.detector);
  map.add("listen", list_of(config.server.listen, [](const ListenOptions& item) { return describe(item); }));
  map.add("http", describe(config.http)).add("detector", describe(config.detector));
  map.add("rules", list_of(config.detector.rules,
                           [&](const RuleOptions& rule) { return describe(rule, config.detector.window); }));
  map.add("publishers",
          list_of(config.publishers, [](const PublisherOptions& publisher) { return describe(publisher); }));
  map.add("lease", plain(write_duration(config.lease))).add("drain", plain(write_duration(config.drain)));
  map.add("state", config.state ? quoted(*config.state) : plain("off"));
  const char* format = config.log_format == LogFormat::logfmt ? "logfmt" : "json";
  map.add("log", MapWriter(true)
                     .add("level", plain(std::string(to_string(config.log_level))))
                     .add("format", plain(format))
                     .take());
  return map.take();
}

}  // namespace hotkeyd
