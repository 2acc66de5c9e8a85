#include "config/map_reader.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "config/expand.h"
#include "config/suggest.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kShownMax = 64;

bool contains(const std::vector<std::string_view>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string wrong_kind(const YamlNode& node, const char* expected) {
  if (node.kind == YamlNode::Kind::empty) {
    return std::string("has no value; it must be ") + expected + " (without the key the default applies)";
  }
  return std::string("must be ") + expected;
}

}  // namespace

std::optional<std::string> read_scalar(const YamlNode& node, const std::string& path, ReadContext& context) {
  if (!node.is_scalar()) {
    context.problems.add(node.place, path, wrong_kind(node, "a single value"));
    return std::nullopt;
  }
  auto text = expand_variables(node.text, context.host.environment);
  if (text) return *text;
  context.problems.add(node.place, path, redis_escape(text.error()));
  return std::nullopt;
}

MapReader::MapReader(const YamlNode& node, std::string path, ReadContext& context)
    : node_(node), path_(std::move(path)), context_(context) {
  if (!node.is_map()) {
    context.problems.add(node.place, path_, wrong_kind(node, "a map of keys and values"));
    return;
  }
  refuse_repeated_keys();
}

const YamlNode* MapReader::take(std::string_view name) {
  known_.push_back(name);
  return find(name);
}

const YamlNode* MapReader::take_required(std::string_view name) {
  const YamlNode* node = take(name);
  if (node == nullptr) complain(std::string(name) + " is missing");
  return node;
}

void MapReader::refuse_later(std::initializer_list<std::string_view> names) { later_ = names; }

void MapReader::finish() {
  for (const YamlNode& key : node_.keys) {
    if (!key.is_scalar()) {
      context_.problems.add(key.place, path_, "a key must be a single word");
      continue;
    }
    if (contains(known_, key.text)) continue;
    const std::string shown = redis_escape(key.text, kShownMax);
    if (contains(later_, key.text)) {
      context_.problems.add(key.place, path_of(shown), "not in this version");
      continue;
    }
    const auto nearest = nearest_word(key.text, known_);
    const std::string hint = nearest ? " (did you mean " + std::string(*nearest) + "?)" : "";
    context_.problems.add(key.place, path_of(shown), "unknown key" + hint);
  }
}

std::string MapReader::path_of(std::string_view name) const {
  return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
}

void MapReader::complain(const YamlNode& at, std::string_view name, std::string reason) {
  context_.problems.add(at.place, path_of(name), std::move(reason));
}

void MapReader::complain(std::string reason) {
  if (node_.is_map()) context_.problems.add(node_.place, path_, std::move(reason));
}

const YamlNode* MapReader::find(std::string_view name) const {
  for (std::size_t i = 0; i < node_.keys.size(); ++i) {
    if (node_.keys[i].is_scalar() && node_.keys[i].text == name) return &node_.values[i];
  }
  return nullptr;
}

void MapReader::refuse_repeated_keys() {
  std::set<std::string_view> seen;
  for (const YamlNode& key : node_.keys) {
    if (!key.is_scalar() || seen.insert(key.text).second) continue;
    context_.problems.add(key.place, path_of(redis_escape(key.text, kShownMax)), "this key is given twice");
  }
}

std::span<const YamlNode> read_list(const YamlNode& node, const std::string& path, std::size_t size_max,
                                    ReadContext& context) {
  if (!node.is_list()) {
    context.problems.add(node.place, path, wrong_kind(node, "a list"));
    return {};
  }
  if (node.values.size() <= size_max) return node.values;
  context.problems.add(node.place, path, "at most " + std::to_string(size_max) + " items are allowed");
  return {};
}

}  // namespace hotkeyd
