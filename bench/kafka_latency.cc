// kafka_latency: from the report that lifts a key over its threshold to its record at a Kafka consumer.
//
//   kafka_latency --socket PATH --brokers HOST:PORT [--probes 1000] [--background 1000000]
// The daemon needs a rule that promotes "probe:*" at up to 1000/s, none for "key:*", and a Kafka publisher.
// One thread: it sends the background and the probes and reads the topic. Times begin before the probe is
// written, so they hold what the application pays. Prints "name value" lines, in microseconds.
#include <librdkafka/rdkafka.h>
#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "bench/support/ask.h"
#include "bench/support/batch_ring.h"
#include "bench/support/load_connection.h"
#include "resp/writer.h"

namespace hotkeyd {
namespace {

struct Options {
  std::string socket;
  std::string brokers;
  std::string topic = "hotkey.events";
  std::size_t probes = 1000;
  std::uint64_t background = 1'000'000;  // Rows a second.
  std::uint64_t interval_ms = 10;        // Between probes.
  BatchRingOptions ring;
};

double since(Time begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// Follows every partition of the topic and notes when the promotion of each probe came.
class Consumer {
 public:
  Consumer(const Options& options, std::string ns)
      : prefix_(std::move(ns) + "|probe:"), came_after_(options.probes, -1) {
    rd_kafka_conf_t* conf = rd_kafka_conf_new();
    for (const auto& [name, value] : {std::pair{"bootstrap.servers", options.brokers.c_str()},
                                      {"group.id", "kafka_latency"},
                                      {"enable.auto.commit", "false"},
                                      {"socket.nagle.disable", "true"},
                                      {"topic.metadata.refresh.interval.ms", "1000"}}) {
      rd_kafka_conf_set(conf, name, value, nullptr, 0);
    }
    handle_ = rd_kafka_new(RD_KAFKA_CONSUMER, conf, nullptr, 0);
    if (handle_ == nullptr) give_up("consumer");
    rd_kafka_poll_set_consumer(handle_);
    assign_all(options.topic);
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
  std::size_t received() const { return received_; }

  // The time that a share of the probes stayed within, in microseconds.
  std::uint64_t percentile(double share) const {
    std::vector<double> times;
    std::copy_if(came_after_.begin(), came_after_.end(), std::back_inserter(times),
                 [](double t) { return t >= 0; });
    if (times.empty()) return 0;
    std::sort(times.begin(), times.end());
    const auto at = static_cast<std::size_t>(share * static_cast<double>(times.size()));
    return static_cast<std::uint64_t>(times[std::min(at, times.size() - 1)] * 1e6);
  }

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
    const std::size_t probe = std::stoul(std::string(key.substr(prefix_.size())));
    if (probe >= sent.size() || came_after_[probe] >= 0) return;
    came_after_[probe] = std::chrono::duration<double>(Clock::now() - sent[probe]).count();
    ++received_;
  }

  const std::string prefix_;
  rd_kafka_t* handle_ = nullptr;
  std::vector<double> came_after_;
  std::size_t received_ = 0;
};

class Probing {
 public:
  explicit Probing(const Options& options)
      : options_(options),
        ring_(options.ring),
        background_(options.socket),
        probes_(options.socket),
        consumer_(first_event(options), options.ring.ns) {}

  void run() {
    const Time begin = Clock::now();
    // Two seconds of background before the first probe, five for the last records.
    const double last = 2 + static_cast<double>(options_.probes * options_.interval_ms) / 1000;
    while (since(begin) < last + 5 && consumer_.received() < options_.probes) {
      send_background(begin);
      const double when = 2 + static_cast<double>(sent_.size() * options_.interval_ms) / 1000;
      if (sent_.size() < options_.probes && since(begin) >= when) send_probe();
      turn();
    }
    background_rate_ = static_cast<double>(background_.sum()) / since(begin);
  }

  void print() const {
    std::cout << "background_rows_per_second " << static_cast<std::uint64_t>(background_rate_) << '\n';
    std::cout << "kafka_received " << consumer_.received() << '\n';
    for (const auto& [label, share] : {std::pair{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"max", 1.0}}) {
      std::cout << "kafka_" << label << "_us " << consumer_.percentile(share) << '\n';
    }
  }
  bool is_complete() const { return consumer_.received() == options_.probes; }

 private:
  // A record before all others, which makes the topic.
  static const Options& first_event(const Options& options) {
    ask(options.socket, {"HOTKEY", "PIN", options.ring.ns, "first"});
    return options;
  }

  void send_background(Time begin) {
    const auto due = static_cast<std::uint64_t>(since(begin) * static_cast<double>(options_.background));
    while (totals_.recorded < due && background_.is_idle()) {
      const ReportTotals after{totals_.recorded + options_.ring.rows, 0};
      if (!background_.send(ring_.prepare(seq_ + 1, after))) return;
      ring_.advance();
      totals_ = after;
      ++seq_;
    }
  }

  void send_probe() {
    const std::string seq = std::to_string(sent_.size() + 1);
    const std::string key = "probe:" + std::to_string(sent_.size());
    probe_.clear();
    append_command(probe_, {"HOTKEY", "REPORT", options_.ring.ns, options_.ring.producer + "/probe", "1", seq,
                            "1", key, "1000", "0", "0", "0", "0"});
    sent_.push_back(Clock::now());
    if (!probes_.send(probe_)) give_up("probe");
  }

  // Waits for at most a millisecond, then takes what is there.
  void turn() {
    std::array<pollfd, 2> entries{{{.fd = background_.fd(), .events = POLLIN, .revents = 0},
                                   {.fd = probes_.fd(), .events = POLLIN, .revents = 0}}};
    poll(entries.data(), entries.size(), 1);
    background_.read_replies();
    probes_.read_replies();
    consumer_.read(sent_);
  }

  const Options& options_;
  BatchRing ring_;
  LoadConnection background_;
  LoadConnection probes_;
  Consumer consumer_;
  std::string probe_;
  std::vector<Time> sent_;
  ReportTotals totals_;
  std::uint64_t seq_ = 0;
  double background_rate_ = 0;
};

}  // namespace
}  // namespace hotkeyd

int main(int argc, char** argv) {
  hotkeyd::Options options;
  CLI::App app("Measures the time from a report to the record it causes.");
  app.add_option("--socket", options.socket, "path of the daemon's unix socket")->required();
  app.add_option("--brokers", options.brokers, "the Kafka it publishes to")->required();
  app.add_option("--topic", options.topic, "and its topic");
  app.add_option("--probes", options.probes, "keys that jump over the threshold");
  app.add_option("--interval-ms", options.interval_ms, "between probes");
  app.add_option("--background", options.background, "rows a second of other keys");
  app.add_option("--ns", options.ring.ns, "namespace");
  CLI11_PARSE(app, argc, argv);
  options.ring.producer = "kafka_latency/" + std::to_string(getpid());
  options.ring.epoch = static_cast<std::uint64_t>(hotkeyd::read_clocks().unix_ms);
  hotkeyd::Probing probing(options);
  probing.run();
  probing.print();
  return probing.is_complete() ? 0 : 1;
}
