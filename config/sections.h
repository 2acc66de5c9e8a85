// The parts of a configuration file, one function and one source file each.
//
// Each reads its node into options that hold the defaults already, and notes every problem it finds. Checks
// across parts are in parse.cc. Pure.
#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "config/map_reader.h"

namespace hotkeyd {

inline constexpr std::size_t kWindowsMax = 8;  // Different windows of rules, detector.window included.

std::vector<ListenOptions> read_listen(const YamlNode& node, ReadContext& context);
void read_http(const YamlNode& node, HttpOptions& options, ReadContext& context);
void read_detector(const YamlNode& node, DetectorOptions& options, ReadContext& context);
std::vector<std::string> read_namespaces(const YamlNode& node, ReadContext& context);

// `detector` gives window, slots and the fixed set of namespaces, against which rules are checked.
std::vector<RuleOptions> read_rules(const YamlNode& node, const DetectorOptions& detector,
                                    ReadContext& context);
void read_kafka(MapReader& map, KafkaOptions& options, ReadContext& context);
std::vector<PublisherOptions> read_publishers(const YamlNode& node, Duration lease, ReadContext& context);
void read_log(const YamlNode& node, Config& config, ReadContext& context);

// min(3 s, lease / 3), whole milliseconds.
Duration default_heartbeat(Duration lease);

}  // namespace hotkeyd
