// A YAML text as a tree of nodes that remember where they stand.
//
// This is the door to yaml-cpp, whose version 0.7 accepts what nobody meant: an unterminated quote swallows
// the keys after it, further documents are silently possible, cyclic anchors walk for ever. Here the events
// of its parser build a tree of our own under a budget (nodes, bytes, depth), aliases are copied and a cycle
// is refused, and a second pass with a sentinel key appended proves that the text ends where it seems to end.
//
// Pure. Keys are kept as they stand, repeated ones too: the reader refuses those.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/problems.h"

namespace hotkeyd {

inline constexpr std::size_t kYamlNodesMax = 10'000;
inline constexpr std::size_t kYamlDepthMax = 32;

struct YamlNode {
  enum class Kind { empty, scalar, list, map };
  Kind kind = Kind::empty;
  Place place;
  std::string text;              // Scalars only.
  bool is_quoted = false;        // Scalars only.
  bool is_flow = false;          // Lists and maps written in brackets.
  std::vector<YamlNode> keys;    // Maps only: keys[i] belongs to values[i].
  std::vector<YamlNode> values;  // Maps and lists.

  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_list() const { return kind == Kind::list; }
  bool is_map() const { return kind == Kind::map; }
};

// The root node (`empty` where the text has none), or the first reason why the text is no YAML.
std::variant<YamlNode, Problem> parse_yaml(std::string_view text);

}  // namespace hotkeyd
