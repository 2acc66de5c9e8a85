#include <yaml-cpp/emitter.h>
#include <yaml-cpp/emittermanip.h>

#include "config/config.h"
#include "config/describe.h"

namespace hotkeyd {
namespace {

void emit(YAML::Emitter& out, const YamlNode& node) {
  if (node.is_scalar()) {
    if (node.is_quoted) out << YAML::DoubleQuoted;
    out << node.text;
    return;
  }
  if (node.is_flow || node.values.empty()) out << YAML::Flow;
  if (node.is_map()) out << YAML::BeginMap;
  if (node.is_list()) out << YAML::BeginSeq;
  for (std::size_t i = 0; i < node.values.size(); ++i) {
    if (node.is_map()) out << YAML::Key << node.keys[i].text << YAML::Value;
    emit(out, node.values[i]);
  }
  if (node.is_map()) out << YAML::EndMap;
  if (node.is_list()) out << YAML::EndSeq;
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

void flatten(const YamlNode& node, const std::string& path, Pairs& pairs) {
  if (node.is_scalar()) pairs.emplace_back(path, node.text);
  for (std::size_t i = 0; i < node.values.size(); ++i) {
    const std::string name = node.is_list() ? path + "[" + std::to_string(i) + "]"
                                            : path + (path.empty() ? "" : ".") + node.keys[i].text;
    flatten(node.values[i], name, pairs);
  }
}

}  // namespace

std::string print_config(const Config& config) {
  YAML::Emitter out;
  emit(out, describe(config));
  return std::string(out.c_str()) + "\n";
}

std::vector<std::pair<std::string, std::string>> config_pairs(const Config& config) {
  Pairs pairs;
  flatten(describe(config), "", pairs);
  return pairs;
}

}  // namespace hotkeyd
