#include "daemon/announce.h"

#include "base/log.h"
#include "base/version.h"

namespace hotkeyd {
namespace {

std::string endpoint_of(const PublisherOptions& options) {
  if (options.type == PublisherType::redis) return options.endpoint.redacted();
  return "kafka topic " + options.kafka.topic + " at " + options.kafka.brokers.front();
}

}  // namespace

void announce(const Config& config, const std::string& origin, const std::vector<std::string>& addresses) {
  log_info("started", {{"version", kVersion}, {"node", config.node}, {"config", origin}});
  for (const std::string& address : addresses) log_info("listening", {{"address", address}});
  if (!config.has_rules)
    log_info("configured", {{"rules", "none given: the embedded rule default applies, 1000/s"}});
  for (const PublisherOptions& options : config.publishers) {
    log_info("publishing", {{"sink", options.name}, {"endpoint", endpoint_of(options)}});
  }
  if (config.publishers.empty())
    log_info("publishing", {{"sink", "none: events go to subscribers of this daemon only"}});
  if (!config.state)
    log_info("configured", {{"state", "none: orders and the hot set end with this process"}});
}

}  // namespace hotkeyd
