#include "kafka/properties.h"

#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>

namespace hotkeyd {
namespace {

struct Property {
  bool is_for_consumers = false;
  std::string range;  // "0 .. 7" or "none, gzip, snappy"; empty: any text.
};

constexpr std::string_view kNoFile = "cannot be set in a file";
constexpr std::string_view kOrder =
    "is set by hotkeyd, so that no event is lost and those of a key stay in order";
constexpr std::string_view kBrokers = "is set by hotkeyd: use brokers";
constexpr std::string_view kLimits = "is set by hotkeyd: the limits are 10,000 messages and 16 MiB";
constexpr std::string_view kWatch = "is set by hotkeyd, which watches the connection with it";
constexpr std::string_view kForeign = "is refused: it makes the daemon load or run foreign code";
constexpr std::string_view kPartition =
    "is set by hotkeyd: murmur2_random, which finds the partition of a key as Java's producer does";

constexpr std::array<std::pair<std::string_view, std::string_view>, 45> kRefused{{
    {"metadata.broker.list", kBrokers},
    {"bootstrap.servers", kBrokers},
    {"acks", kOrder},
    {"request.required.acks", kOrder},
    {"enable.idempotence",
     "is set by hotkeyd: on from librdkafka 2.3.0, whose older versions do not survive it"},
    {"enable.gapless.guarantee", kOrder},
    {"max.in.flight", kOrder},
    {"max.in.flight.requests.per.connection", kOrder},
    {"retries", kOrder},
    {"message.send.max.retries", kOrder},
    {"message.timeout.ms", kOrder},
    {"delivery.timeout.ms", kOrder},
    {"delivery.report.only.error", kOrder},
    {"queuing.strategy", kOrder},
    {"transactional.id", "is refused: events need no transactions"},
    {"transaction.timeout.ms", "is refused: events need no transactions"},
    {"partitioner", kPartition},
    {"queue.buffering.max.messages", kLimits},
    {"queue.buffering.max.kbytes", kLimits},
    {"statistics.interval.ms", kWatch},
    {"topic.metadata.refresh.interval.ms", kWatch},
    {"enabled_events", kWatch},
    {"log.queue", kWatch},
    {"internal.termination.signal", "is set by hotkeyd, which handles its signals itself"},
    {"plugin.library.paths", kForeign},
    {"interceptors", kForeign},
    {"ssl.engine.location", kForeign},
    {"ssl.engine.id", kForeign},
    {"sasl.kerberos.kinit.cmd", kForeign},
    {"builtin.features", kNoFile},
    {"error_cb", kNoFile},
    {"throttle_cb", kNoFile},
    {"stats_cb", kNoFile},
    {"log_cb", kNoFile},
    {"background_event_cb", kNoFile},
    {"opaque", kNoFile},
    {"default_topic_conf", kNoFile},
    {"ssl_key", kNoFile},
    {"ssl_certificate", kNoFile},
    {"ssl_ca", kNoFile},
    {"ssl_engine_callback_data", kNoFile},
    {"ssl.certificate.verify_cb", kNoFile},
    {"oauthbearer_token_refresh_cb", kNoFile},
    {"msg_order_cmp", kNoFile},
    {"test.mock.num.brokers", "is refused: it replaces the brokers by ones that do not exist"},
}};

std::string library_table() {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* out = open_memstream(&text, &size);
  if (out == nullptr) return {};
  rd_kafka_conf_properties_show(out);
  std::fclose(out);
  std::string table(text, size);
  std::free(text);
  return table;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// "name | C/P | range | default | ...": what lies before the next bar; `line` goes on behind it.
std::string_view next_cell(std::string_view& line) {
  const std::size_t bar = std::min(line.find('|'), line.size());
  const std::string_view cell = trimmed(line.substr(0, bar));
  line.remove_prefix(std::min(bar + 1, line.size()));
  return cell;
}

std::map<std::string, Property, std::less<>> read_table(std::string_view table) {
  std::map<std::string, Property, std::less<>> properties;
  while (!table.empty()) {
    const std::size_t end = std::min(table.find('\n'), table.size());
    std::string_view line = table.substr(0, end);
    table.remove_prefix(std::min(end + 1, table.size()));
    const std::string_view name = next_cell(line);
    const std::string_view scope = next_cell(line);
    if (scope != "*" && scope != "C" && scope != "P") continue;
    properties.try_emplace(std::string(name), Property{scope == "C", std::string(next_cell(line))});
  }
  return properties;
}

const std::map<std::string, Property, std::less<>>& properties() {
  static const auto kProperties = read_table(library_table());
  return kProperties;
}

// The library takes "5 ms" for 5.
bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("-0123456789.") == std::string_view::npos;
}

bool ends_in_callback(std::string_view name) { return name.ends_with("_cb"); }

bool is_taken(const std::string& name, const std::string& value) {
  const std::unique_ptr<rd_kafka_conf_t, decltype(&rd_kafka_conf_destroy)> conf(rd_kafka_conf_new(),
                                                                                rd_kafka_conf_destroy);
  std::array<char, 512> why{};
  return rd_kafka_conf_set(conf.get(), name.c_str(), value.c_str(), why.data(), why.size()) ==
         RD_KAFKA_CONF_OK;
}

}  // namespace

std::optional<KafkaPropertyProblem> check_kafka_property(const std::string& name, const std::string& value) {
  const auto refused =
      std::find_if(kRefused.begin(), kRefused.end(), [&](const auto& entry) { return entry.first == name; });
  if (refused != kRefused.end()) return KafkaPropertyProblem{true, std::string(refused->second)};
  if (ends_in_callback(name)) return KafkaPropertyProblem{true, std::string(kNoFile)};
  const auto known = properties().find(name);
  if (known == properties().end()) return KafkaPropertyProblem{true, "librdkafka has no such option"};
  if (known->second.is_for_consumers)
    return KafkaPropertyProblem{true, "is an option of consumers; a publisher has no use for it"};
  const std::string& range = known->second.range;
  const bool is_of_its_kind = range.find(" .. ") == std::string::npos || is_number(value);
  if (is_of_its_kind && value.find('\0') == std::string::npos && is_taken(name, value)) return std::nullopt;
  return KafkaPropertyProblem{false, range.empty() ? "librdkafka does not take this value"
                                                   : "librdkafka does not take this value, only: " + range};
}

const std::vector<std::string>& kafka_property_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const auto& [name, property] : properties()) {
      if (!property.is_for_consumers && !ends_in_callback(name)) names.push_back(name);
    }
    return names;
  }();
  return kNames;
}

bool is_kafka_secret(std::string_view name) {
  constexpr std::array<std::string_view, 5> kWords = {"password", "secret", "key.pem", "oauthbearer.config",
                                                      "oauthbearer.extensions"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

}  // namespace hotkeyd
