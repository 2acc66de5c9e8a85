// The configuration of a producer handle: hotkeyd's own options, its defaults, then the operator's.
#pragma once

#include <librdkafka/rdkafka.h>

#include <memory>
#include <string>

#include "base/result.h"
#include "kafka/options.h"

namespace hotkeyd {

struct KafkaConfDeleter {
  void operator()(rd_kafka_conf_t* conf) const { rd_kafka_conf_destroy(conf); }
};
using KafkaConf = std::unique_ptr<rd_kafka_conf_t, KafkaConfDeleter>;

Result<KafkaConf> make_kafka_conf(const KafkaOptions& options);

}  // namespace hotkeyd
