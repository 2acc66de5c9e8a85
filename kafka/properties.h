// Options of librdkafka that an operator passes through: which there are, which hotkeyd keeps to itself.
//
// What the linked library knows is asked of the library. Refused are options whose value decides whether
// events get lost or change their order (hotkeyd sets those), options that load or run foreign code, and
// those of consumers. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hotkeyd {

struct KafkaPropertyProblem {
  bool concerns_name = false;  // Else the value.
  std::string reason;          // Holds nothing of the value, which may be a secret.
  bool operator==(const KafkaPropertyProblem&) const = default;
};

std::optional<KafkaPropertyProblem> check_kafka_property(const std::string& name, const std::string& value);

// Every name that a producer knows, for suggestions.
const std::vector<std::string>& kafka_property_names();

// Whether its value may not be shown.
bool is_kafka_secret(std::string_view name);

}  // namespace hotkeyd
