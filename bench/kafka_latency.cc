// kafka_latency: from the report that lifts a key over its threshold to its record at a Kafka consumer.
//
//   kafka_latency --socket PATH --brokers HOST:PORT [--probes 1000] [--background 1000000]
// The daemon needs the rules of bench/support/probe_traffic.h and a Kafka publisher. One thread: it sends the
// background and the probes and reads the topic. Prints "name value" lines, in microseconds.
#include <librdkafka/rdkafka.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/support/ask.h"
#include "bench/support/load_connection.h"
#include "bench/support/probe_times.h"
#include "bench/support/probe_traffic.h"

namespace hotkeyd {
namespace {

// Follows every partition of the topic and notes when the promotion of each probe came.
class Consumer {
 public:
  Consumer(const ProbeOptions& options, const std::string& brokers, const std::string& topic)
      : prefix_(options.ring.ns + "|probe:"), times_(options.probes) {
    rd_kafka_conf_t* conf = rd_kafka_conf_new();
    for (const auto& [name, value] : {std::pair{"bootstrap.servers", brokers.c_str()},
                                      {"group.id", "kafka_latency"},
                                      {"enable.auto.commit", "false"},
                                      {"socket.nagle.disable", "true"},
                                      {"topic.metadata.refresh.interval.ms", "1000"}}) {
      rd_kafka_conf_set(conf, name, value, nullptr, 0);
    }
    handle_ = rd_kafka_new(RD_KAFKA_CONSUMER, conf, nullptr, 0);
    if (handle_ == nullptr) give_up("consumer");
    rd_kafka_poll_set_consumer(handle_);
    assign_all(topic);
  }
  ~Consumer() {
    rd_kafka_consumer_close(handle_);
    rd_kafka_destroy(handle_);
  }
  Consumer(const Consumer&) = delete;
  Consumer& operator=(const Consumer&) = delete;

  void read(const std::vector<Time>& sent) {
    while (rd_kafka_message_t* message = rd_kafka_consumer_poll(handle_, 0)) {
      if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) take(*message, sent);
      rd_kafka_message_destroy(message);
    }
  }
  const ProbeTimes& times() const { return times_; }

 private:
  // Waits for the topic, which the daemon's first event makes.
  void assign_all(const std::string& topic) {
    for (int round = 0; round < 100; ++round, usleep(100'000)) {
      const rd_kafka_metadata_t* metadata = nullptr;
      rd_kafka_topic_t* wanted = rd_kafka_topic_new(handle_, topic.c_str(), nullptr);
      const auto error = rd_kafka_metadata(handle_, 0, wanted, &metadata, 5000);
      rd_kafka_topic_destroy(wanted);
      const int partitions = error == RD_KAFKA_RESP_ERR_NO_ERROR ? metadata->topics[0].partition_cnt : 0;
      if (metadata != nullptr) rd_kafka_metadata_destroy(metadata);
      if (partitions > 0) return assign(topic, partitions);
    }
    give_up("topic");
  }

  void assign(const std::string& topic, int partitions) {
    rd_kafka_topic_partition_list_t* list = rd_kafka_topic_partition_list_new(partitions);
    for (int i = 0; i < partitions; ++i) {
      rd_kafka_topic_partition_list_add(list, topic.c_str(), i)->offset = RD_KAFKA_OFFSET_BEGINNING;
    }
    rd_kafka_assign(handle_, list);
    rd_kafka_topic_partition_list_destroy(list);
  }

  void take(const rd_kafka_message_t& message, const std::vector<Time>& sent) {
    const std::string_view key(static_cast<const char*>(message.key), message.key_len);
    const std::string_view value(static_cast<const char*>(message.payload), message.len);
    if (!key.starts_with(prefix_) || value.find("\"hotkey.promoted\"") == std::string_view::npos) return;
    times_.came(key.substr(prefix_.size()), sent);
  }

  const std::string prefix_;
  rd_kafka_t* handle_ = nullptr;
  ProbeTimes times_;
};

bool measure(const ProbeOptions& options, const std::string& brokers, const std::string& topic) {
  ask(options.socket, {"HOTKEY", "PIN", options.ring.ns, "first"});  // Its record makes the topic.
  ProbeTraffic traffic(options);
  Consumer consumer(options, brokers, topic);
  const auto receive = [&](const std::vector<Time>& sent) {
    consumer.read(sent);
    return consumer.times().is_complete();
  };
  traffic.run({}, receive);
  traffic.print();
  consumer.times().print("kafka");
  return consumer.times().is_complete();
}

}  // namespace
}  // namespace hotkeyd

int main(int argc, char** argv) {
  auto options = hotkeyd::make_probe_options("kafka_latency");
  std::string brokers;
  std::string topic = "hotkey.events";
  CLI::App app("Measures the time from a report to the record it causes.");
  hotkeyd::add_probe_options(app, options);
  app.add_option("--brokers", brokers, "the Kafka it publishes to")->required();
  app.add_option("--topic", topic, "and its topic");
  CLI11_PARSE(app, argc, argv);
  return hotkeyd::measure(options, brokers, topic) ? 0 : 1;
}
