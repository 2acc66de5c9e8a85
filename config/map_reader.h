// One map of the configuration while it is read: every key is asked for by name, whatever was not asked for
// is unknown, and unknown or repeated keys are errors.
//
// The use is always the same: construct, `take` or `read` each known key, name the keys of later versions,
// `finish`. Reading goes on after an error, so that all of them are found. Pure.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "config/config.h"
#include "config/problems.h"
#include "config/yaml_tree.h"

namespace hotkeyd {

struct ReadContext {
  const HostFacts& host;
  Problems& problems;
};

// The scalar with its variables expanded; nullopt (and a problem) where the node is none.
std::optional<std::string> read_scalar(const YamlNode& node, const std::string& path, ReadContext& context);

// Runs `parse` on the scalar; its error becomes a problem at the node.
template <typename T, typename Parse>
std::optional<T> read_value(const YamlNode& node, const std::string& path, ReadContext& context,
                            const Parse& parse) {
  const auto text = read_scalar(node, path, context);
  if (!text) return std::nullopt;
  auto value = parse(*text);
  if (value) return T(std::move(*value));
  context.problems.add(node.place, path, value.error());
  return std::nullopt;
}

class MapReader {
 public:
  MapReader(const YamlNode& node, std::string path, ReadContext& context);

  // The value, or nullptr where the key is absent. The key is known from now on.
  const YamlNode* take(std::string_view name);
  // The same, and a problem where it is absent.
  const YamlNode* take_required(std::string_view name);

  // Replaces `out` by the key's value where it is given and right; returns its node when it is given.
  template <typename T, typename Parse>
  const YamlNode* read(std::string_view name, T& out, const Parse& parse) {
    const YamlNode* node = take(name);
    if (node == nullptr) return nullptr;
    if (auto value = read_value<T>(*node, path_of(name), context_, parse)) out = std::move(*value);
    return node;
  }

  // Keys that a later version will know.
  void refuse_later(std::initializer_list<std::string_view> names);
  // Every key not taken is a problem.
  void finish();

  std::string path_of(std::string_view name) const;
  void complain(const YamlNode& at, std::string_view name, std::string reason);
  void complain(std::string reason);  // About the map as a whole.

 private:
  const YamlNode* find(std::string_view name) const;
  void refuse_repeated_keys();

  const YamlNode& node_;
  std::string path_;
  ReadContext& context_;
  std::vector<std::string_view> known_;
  std::vector<std::string_view> later_;
};

// The items of a list; a problem (and none) where the node is no list, or longer than `size_max`.
std::span<const YamlNode> read_list(const YamlNode& node, const std::string& path, std::size_t size_max,
                                    ReadContext& context);

}  // namespace hotkeyd
