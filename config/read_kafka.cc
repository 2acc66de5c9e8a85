// `brokers`, `topic` and `properties` of a Kafka publisher.
#include <algorithm>

#include "config/sections.h"
#include "config/values.h"
#include "kafka/properties.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kBrokersMax = 32;
constexpr std::size_t kTopicBytesMax = 249;  // Kafka's own limit.
constexpr std::string_view kHow = "must be host:port, for example 127.0.0.1:9092";

bool is_host_char(char c) {
  const bool is_alpha = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return is_alpha || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
}

bool is_address_char(char c) {
  return is_host_char(c) || c == ':' || c == '%';  // An IPv6 address in brackets.
}

bool is_host(std::string_view host) {
  if (host.size() > 255 || host.empty()) return false;
  if (host.front() != '[') return std::all_of(host.begin(), host.end(), is_host_char);
  if (host.size() < 4 || host.back() != ']') return false;
  return std::all_of(host.begin() + 1, host.end() - 1, is_address_char);
}

Result<std::string> parse_broker(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || !is_host(text.substr(0, colon))) return Error{std::string(kHow)};
  const auto port = parse_unsigned(text.substr(colon + 1));
  if (!port || *port == 0 || *port > 65535) return Error{std::string(kHow)};
  return std::string(text);
}

Result<std::string> parse_topic(std::string_view text) {
  const bool is_legal = !text.empty() && text.size() <= kTopicBytesMax && text != "." && text != ".." &&
                        std::all_of(text.begin(), text.end(), is_host_char);
  if (is_legal) return std::string(text);
  return Error{"must be a topic: 1 to 249 of the characters A-Z a-z 0-9 . _ -"};
}

void read_brokers(MapReader& map, KafkaOptions& options, ReadContext& context) {
  const YamlNode* node = map.take_required("brokers");
  if (node == nullptr) return;
  const std::string path = map.path_of("brokers");
  const auto items = read_list(*node, path, kBrokersMax, context);
  if (node->is_list() && items.empty()) map.complain(*node, "brokers", "must name at least one broker");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item_path = path + "[" + std::to_string(i) + "]";
    if (auto broker = read_value<std::string>(items[i], item_path, context, parse_broker))
      options.brokers.push_back(std::move(*broker));
  }
}

std::string with_suggestion(std::string reason, std::string_view name) {
  const auto& names = kafka_property_names();
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto nearest = nearest_word(name, views);
  return nearest ? std::move(reason) + " (did you mean " + std::string(*nearest) + "?)" : reason;
}

void read_property(const YamlNode& key, const YamlNode& node, const std::string& path, KafkaOptions& options,
                   ReadContext& context) {
  const auto value = read_scalar(node, path, context);
  if (!value) return;
  const auto problem = check_kafka_property(key.text, *value);
  if (!problem) {
    options.properties.insert_or_assign(key.text, *value);
    return;
  }
  const bool is_unknown = problem->concerns_name && problem->reason == "librdkafka has no such option";
  const std::string reason = is_unknown ? with_suggestion(problem->reason, key.text) : problem->reason;
  context.problems.add(problem->concerns_name ? key.place : node.place, path, reason);
}

void read_properties(const YamlNode& node, const std::string& path, KafkaOptions& options,
                     ReadContext& context) {
  MapReader map(node, path, context);  // It refuses what is no map, and repeated keys.
  if (!node.is_map()) return;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const YamlNode& key = node.keys[i];
    read_property(key, node.values[i], map.path_of(redis_escape(key.text, 64)), options, context);
  }
}

}  // namespace

void read_kafka(MapReader& map, KafkaOptions& options, ReadContext& context) {
  read_brokers(map, options, context);
  map.read("topic", options.topic, parse_topic);
  if (const YamlNode* node = map.take("properties"))
    read_properties(*node, map.path_of("properties"), options, context);
}

}  // namespace hotkeyd
