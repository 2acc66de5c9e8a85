// librdkafka's mock cluster: brokers inside the test's process whose errors the test chooses.
#pragma once

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <chrono>
#include <string>
#include <vector>

namespace hotkeyd {

class MockCluster {
 public:
  MockCluster() : host_(open(RD_KAFKA_PRODUCER)), cluster_(rd_kafka_mock_cluster_new(host_, 1)) {}
  ~MockCluster() {
    rd_kafka_mock_cluster_destroy(cluster_);
    rd_kafka_destroy(host_);
  }
  MockCluster(const MockCluster&) = delete;
  MockCluster& operator=(const MockCluster&) = delete;

  std::string brokers() const { return rd_kafka_mock_cluster_bootstraps(cluster_); }
  void set_down() { rd_kafka_mock_broker_set_down(cluster_, 1); }
  void set_up() { rd_kafka_mock_broker_set_up(cluster_, 1); }
  // Every answer comes this much later.
  void slow_down(std::chrono::milliseconds by) {
    rd_kafka_mock_broker_set_rtt(cluster_, 1, static_cast<int>(by.count()));
  }
  // Of the next produce requests, one each.
  void fail_produce(const std::vector<rd_kafka_resp_err_t>& errors) {
    constexpr int16_t kProduce = 0;
    rd_kafka_mock_push_request_errors_array(cluster_, kProduce, errors.size(), errors.data());
  }
  void set_topic_error(const std::string& topic, rd_kafka_resp_err_t error) {
    rd_kafka_mock_topic_set_error(cluster_, topic.c_str(), error);
  }
  void create_topic(const std::string& topic) { rd_kafka_mock_topic_create(cluster_, topic.c_str(), 1, 1); }

  // Every key in the topic's one partition, in order. Waits up to 10 s for `count` of them.
  std::vector<std::string> keys(const std::string& topic, std::size_t count) const {
    std::vector<std::string> keys;
    for (Found& one : records(topic, count)) keys.push_back(std::move(one.key));
    return keys;
  }
  // The same of their ids, the header `ce_id`.
  std::vector<std::string> ids(const std::string& topic, std::size_t count) const {
    std::vector<std::string> ids;
    for (Found& one : records(topic, count)) ids.push_back(std::move(one.id));
    return ids;
  }

 private:
  struct Found {
    std::string key;
    std::string id;
  };

  std::vector<Found> records(const std::string& topic, std::size_t count) const {
    rd_kafka_conf_t* conf = rd_kafka_conf_new();
    rd_kafka_conf_set(conf, "bootstrap.servers", brokers().c_str(), nullptr, 0);
    rd_kafka_conf_set(conf, "group.id", "test", nullptr, 0);
    rd_kafka_t* consumer = rd_kafka_new(RD_KAFKA_CONSUMER, conf, nullptr, 0);
    rd_kafka_poll_set_consumer(consumer);
    rd_kafka_topic_partition_list_t* assigned = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(assigned, topic.c_str(), 0)->offset = RD_KAFKA_OFFSET_BEGINNING;
    rd_kafka_assign(consumer, assigned);
    rd_kafka_topic_partition_list_destroy(assigned);
    std::vector<Found> found;
    for (int round = 0; round < 100 && found.size() < count; ++round) read_one(consumer, found);
    rd_kafka_consumer_close(consumer);
    rd_kafka_destroy(consumer);
    return found;
  }
  static rd_kafka_t* open(rd_kafka_type_t type) {
    return rd_kafka_new(type, rd_kafka_conf_new(), nullptr, 0);
  }
  static void read_one(rd_kafka_t* consumer, std::vector<Found>& found) {
    rd_kafka_message_t* message = rd_kafka_consumer_poll(consumer, 100);
    if (message == nullptr) return;
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR)
      found.push_back(
          {std::string(static_cast<const char*>(message->key), message->key_len), id_of(*message)});
    rd_kafka_message_destroy(message);
  }
  static std::string id_of(const rd_kafka_message_t& message) {
    rd_kafka_headers_t* headers = nullptr;
    const void* value = nullptr;
    std::size_t size = 0;
    if (rd_kafka_message_headers(&message, &headers) != RD_KAFKA_RESP_ERR_NO_ERROR) return {};
    if (rd_kafka_header_get_last(headers, "ce_id", &value, &size) != RD_KAFKA_RESP_ERR_NO_ERROR) return {};
    return {static_cast<const char*>(value), size};
  }

  rd_kafka_t* host_;
  rd_kafka_mock_cluster_t* cluster_;
};

}  // namespace hotkeyd
