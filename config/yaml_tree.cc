#include "config/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "base/text.h"

namespace hotkeyd {
namespace {

constexpr std::string_view kSentinel = "hotkeyd_end_of_file";

Place place_of(const YAML::Mark& mark) {
  if (mark.is_null()) return {};
  return {static_cast<std::size_t>(mark.line) + 1, static_cast<std::size_t>(mark.column) + 1};
}

[[noreturn]] void refuse(const YAML::Mark& mark, const std::string& reason) {
  throw YAML::ParserException(mark, reason);
}

// Builds the tree from the parser's events; `open_` holds the lists and maps that have not ended yet.
class TreeBuilder : public YAML::EventHandler {
 public:
  YamlNode take_root() { return std::move(root_); }
  const Place& last_scalar() const { return last_scalar_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) refuse(mark, "only one document is allowed, and here a second one begins");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    finish(start(YamlNode::Kind::empty, mark, "?"), anchor, mark);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    YamlNode node = start(YamlNode::Kind::scalar, mark, tag);
    node.text = text;
    node.is_quoted = tag == "!";
    last_scalar_ = node.place;
    finish(std::move(node), anchor, mark);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchored_.find(anchor);
    if (found == anchored_.end()) refuse(mark, "this alias refers to the value that it is part of");
    charge(found->second, mark);
    finish(found->second, 0, mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(YamlNode::Kind::list, mark, tag, anchor, style);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(YamlNode::Kind::map, mark, tag, anchor, style);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor;
    YAML::Mark mark;
  };

  YamlNode start(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag) {
    if (++nodes_ > kYamlNodesMax) refuse(mark, "more than 10000 values");
    if (tag != "?" && tag != "!" && !tag.empty()) refuse(mark, "tags are not supported");
    YamlNode node;
    node.kind = kind;
    node.place = place_of(mark);
    return node;
  }

  void charge(const YamlNode& copied, const YAML::Mark& mark) {
    copied_bytes_ += copied.text.size();
    if (++nodes_ > kYamlNodesMax || copied_bytes_ > (1 << 20))
      refuse(mark, "aliases make the file too large");
    for (const YamlNode& key : copied.keys) charge(key, mark);
    for (const YamlNode& value : copied.values) charge(value, mark);
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            YAML::EmitterStyle::value style) {
    if (open_.size() == kYamlDepthMax) refuse(mark, "more than 32 levels deep");
    YamlNode node = start(kind, mark, tag);
    node.is_flow = style == YAML::EmitterStyle::Flow;
    open_.push_back({std::move(node), anchor, mark});
  }

  void close() {
    Open ended = std::move(open_.back());
    open_.pop_back();
    finish(std::move(ended.node), ended.anchor, ended.mark);
  }

  void finish(YamlNode node, YAML::anchor_t anchor, const YAML::Mark& mark) {
    if (anchor != 0) {
      charge(node, mark);
      anchored_.insert_or_assign(anchor, node);
    }
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    YamlNode& parent = open_.back().node;
    const bool is_key = parent.is_map() && parent.keys.size() == parent.values.size();
    (is_key ? parent.keys : parent.values).push_back(std::move(node));
  }

  YamlNode root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, YamlNode> anchored_;
  std::size_t documents_ = 0;
  std::size_t nodes_ = 0;
  std::size_t copied_bytes_ = 0;
  Place last_scalar_;
};

void build(const std::string& text, TreeBuilder& builder) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  while (parser.HandleNextDocument(builder)) {
  }
}

std::optional<Problem> find_bad_bytes(std::string_view text) {
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view bytes = text.substr(0, end);
    const std::size_t nul = bytes.find('\0');
    if (nul != std::string_view::npos) return Problem{{line, nul + 1}, "", "a NUL byte is not allowed"};
    if (!is_valid_utf8(bytes)) return Problem{{line, 1}, "", "this line is not valid UTF-8"};
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::nullopt;
}

// A quote that never ends would swallow a key put after the text.
bool ends_where_it_seems(std::string_view text, const Place& first_key) {
  const std::string indentation(first_key.column - 1, ' ');
  TreeBuilder builder;
  build(std::string(text) + "\n" + indentation + std::string(kSentinel) + ": 1\n", builder);
  const YamlNode root = builder.take_root();
  return root.is_map() && !root.keys.empty() && root.keys.back().text == kSentinel;
}

std::variant<YamlNode, Problem> parse_checked(std::string_view text) {
  TreeBuilder builder;
  build(std::string(text), builder);
  YamlNode root = builder.take_root();
  if (root.is_map() && !root.is_flow && !ends_where_it_seems(text, root.place)) {
    return Problem{builder.last_scalar(), "", "the quoted text that begins here never ends"};
  }
  return root;
}

// yaml-cpp names what it met; this adds what was probably meant.
std::string_view hint_for(std::string_view reason) {
  using namespace std::string_view_literals;
  static constexpr std::array kHints{
      std::pair{"illegal map value"sv,
                ": a value that holds ': ' needs quotes, and lines are indented with blanks"sv},
      std::pair{"alias not found"sv, ": a value that begins with * needs quotes, as in \"*\""sv},
      std::pair{"anchor not found"sv, ": a value that begins with & needs quotes"sv},
      std::pair{"end of sequence not found"sv, ": is a line indented otherwise than those beside it?"sv},
      std::pair{"end of map not found"sv, ": is a line indented otherwise than those beside it?"sv},
      std::pair{"end of sequence flow not found"sv, ": a [ has no ], or a quote no other"sv},
      std::pair{"end of map flow not found"sv, ": a { has no }, or a quote no other"sv}};
  for (const auto& [begin, hint] : kHints) {
    if (reason.starts_with(begin)) return hint;
  }
  return {};
}

}  // namespace

std::variant<YamlNode, Problem> parse_yaml(std::string_view text) {
  if (auto problem = find_bad_bytes(text)) return *problem;
  try {
    return parse_checked(text);
  } catch (const YAML::Exception& error) {
    return Problem{place_of(error.mark), "", error.msg + std::string(hint_for(error.msg))};
  } catch (const std::exception& error) {
    return Problem{{}, "", error.what()};
  }
}

}  // namespace hotkeyd
