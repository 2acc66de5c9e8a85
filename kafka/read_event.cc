#include "kafka/read_event.h"

#include <array>

namespace hotkeyd {
namespace {

KafkaVerdict verdict_of(rd_kafka_resp_err_t error) {
  switch (error) {
    case RD_KAFKA_RESP_ERR_NO_ERROR:
      return KafkaVerdict::accepted;
    case RD_KAFKA_RESP_ERR__QUEUE_FULL:
      return KafkaVerdict::busy;
    case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
    case RD_KAFKA_RESP_ERR_INVALID_MSG_SIZE:
    case RD_KAFKA_RESP_ERR_INVALID_MSG:
    case RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP:
    case RD_KAFKA_RESP_ERR_INVALID_RECORD:
      return KafkaVerdict::refused;
    default:
      return KafkaVerdict::try_again;
  }
}

std::string sentence(rd_kafka_resp_err_t error, const std::string& topic) {
  switch (error) {
    case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
    case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
    case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
      return "topic " + topic + " does not exist: create it, or let the broker create topics by itself";
    case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
      return "topic " + topic + ": not authorized; allow this user to write to it";
    default:
      return "topic " + topic + ": " + rd_kafka_err2str(error);
  }
}

void read_deliveries(rd_kafka_event_t* event, const std::string& topic, std::vector<KafkaEvent>& out) {
  while (const rd_kafka_message_t* message = rd_kafka_event_message_next(event)) {
    const auto id = reinterpret_cast<std::uintptr_t>(message->_private);
    out.emplace_back(delivery_of(id, message->err, topic));
  }
}

KafkaTrouble read_error(rd_kafka_t* handle, rd_kafka_event_t* event) {
  const rd_kafka_resp_err_t error = rd_kafka_event_error(event);
  KafkaTrouble trouble;
  trouble.kind = rd_kafka_err2name(error);
  trouble.reason = rd_kafka_event_error_string(event);
  trouble.is_cut_off = error == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN;
  trouble.is_fatal = error == RD_KAFKA_RESP_ERR__FATAL || rd_kafka_event_error_is_fatal(event) != 0;
  std::array<char, 512> why{};
  if (!trouble.is_fatal) return trouble;
  const rd_kafka_resp_err_t cause = rd_kafka_fatal_error(handle, why.data(), why.size());
  if (cause == RD_KAFKA_RESP_ERR_NO_ERROR) return trouble;
  trouble.kind = rd_kafka_err2name(cause);
  trouble.reason = why.data();
  return trouble;
}

KafkaLogLine read_log(rd_kafka_event_t* event) {
  const char* facility = nullptr;
  const char* text = nullptr;
  KafkaLogLine line;
  if (rd_kafka_event_log(event, &facility, &text, &line.level) != 0) return line;
  line.facility = facility;
  line.text = text;
  return line;
}

}  // namespace

KafkaDelivery delivery_of(std::uint64_t id, rd_kafka_resp_err_t error, const std::string& topic) {
  KafkaDelivery delivery{id, verdict_of(error), {}, {}};
  if (delivery.verdict == KafkaVerdict::accepted) return delivery;
  delivery.kind = rd_kafka_err2name(error);
  delivery.reason = sentence(error, topic);
  return delivery;
}

bool has_broker_up(std::string_view statistics) {
  return statistics.find("\"state\":\"UP\"") != std::string_view::npos;
}

void read_event(rd_kafka_t* handle, rd_kafka_event_t* event, const std::string& topic,
                std::vector<KafkaEvent>& out) {
  switch (rd_kafka_event_type(event)) {
    case RD_KAFKA_EVENT_DR:
      return read_deliveries(event, topic, out);
    case RD_KAFKA_EVENT_ERROR:
      return static_cast<void>(out.emplace_back(read_error(handle, event)));
    case RD_KAFKA_EVENT_STATS:
      return static_cast<void>(out.emplace_back(KafkaReach{has_broker_up(rd_kafka_event_stats(event))}));
    case RD_KAFKA_EVENT_LOG:
      return static_cast<void>(out.emplace_back(read_log(event)));
    default:
      return;
  }
}

}  // namespace hotkeyd
