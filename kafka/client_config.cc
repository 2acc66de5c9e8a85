#include "kafka/client_config.h"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "kafka/client.h"

namespace hotkeyd {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

std::string joined(const std::vector<std::string>& brokers) {
  std::string list;
  for (const std::string& broker : brokers) list += (list.empty() ? "" : ",") + broker;
  return list;
}

// An operator may change these.
Settings defaults() {
  return {{"client.id", "hotkeyd"},
          {"socket.timeout.ms", "10000"},
          {"request.timeout.ms", "10000"},
          {"socket.nagle.disable", "true"},
          {"socket.keepalive.enable", "true"},
          {"reconnect.backoff.max.ms", "2000"},
          {"topic.metadata.propagation.max.ms", "5000"}};
}

Settings own(const KafkaOptions& options) {
  const bool is_idempotent = kafka_is_idempotent(rd_kafka_version());
  return {{"bootstrap.servers", joined(options.brokers)},
          {"acks", "all"},
          {"enable.idempotence", is_idempotent ? "true" : "false"},
          {"max.in.flight.requests.per.connection", is_idempotent ? "5" : "1"},
          {"message.timeout.ms", "0"},  // For ever: the outbox is what bounds.
          {"queue.buffering.max.messages", std::to_string(options.records_max)},
          {"queue.buffering.max.kbytes", std::to_string(options.bytes_max / 1024)},
          {"partitioner", "murmur2_random"},
          {"statistics.interval.ms", "1000"},
          {"topic.metadata.refresh.interval.ms", "5000"},
          {"log.queue", "true"}};
}

Result<void> apply(rd_kafka_conf_t* conf, const std::string& name, const std::string& value) {
  std::array<char, 512> why{};
  const auto done = rd_kafka_conf_set(conf, name.c_str(), value.c_str(), why.data(), why.size());
  if (done == RD_KAFKA_CONF_OK) return {};
  return Error{"librdkafka does not take " + name};
}

}  // namespace

bool kafka_is_idempotent(int library_version) {
  constexpr int kFirstSafe = 0x02030000;
  return library_version >= kFirstSafe;
}

Result<KafkaConf> make_kafka_conf(const KafkaOptions& options) {
  KafkaConf conf(rd_kafka_conf_new());
  Settings settings = defaults();
  settings.insert(settings.end(), options.properties.begin(), options.properties.end());
  const Settings ours = own(options);
  settings.insert(settings.end(), ours.begin(), ours.end());
  for (const auto& [name, value] : settings) {
    if (auto done = apply(conf.get(), name, value); !done) return Error{done.error()};
  }
  rd_kafka_conf_set_events(
      conf.get(), RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_ERROR | RD_KAFKA_EVENT_STATS | RD_KAFKA_EVENT_LOG);
  return conf;
}

}  // namespace hotkeyd
