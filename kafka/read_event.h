// librdkafka's events and error codes as values of ours. Pure, but for taking an event apart.
#pragma once

#include <librdkafka/rdkafka.h>

#include <string>
#include <string_view>
#include <vector>

#include "kafka/event.h"

namespace hotkeyd {

// What `error` means for a record of `topic`.
KafkaDelivery delivery_of(std::uint64_t id, rd_kafka_resp_err_t error, const std::string& topic);

// Whether the library's statistics name a broker whose connection stands.
bool has_broker_up(std::string_view statistics);

void read_event(rd_kafka_t* handle, rd_kafka_event_t* event, const std::string& topic,
                std::vector<KafkaEvent>& out);

}  // namespace hotkeyd
