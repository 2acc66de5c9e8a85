#include "cli/json_text.h"

#include "base/text.h"
#include "cli/format.h"

namespace hotkeyd {
namespace {

using nlohmann::json;

// The member, or null.
const json& member(const json& object, const char* name) {
  static const json null;
  if (!object.is_object()) return null;
  const auto found = object.find(name);
  return found == object.end() ? null : *found;
}

void add_action(std::string& actions, const std::string& action) {
  if (!actions.empty()) actions += ", ";
  actions += action;
}

}  // namespace

json parse_object(std::string_view text) {
  json parsed = json::parse(text, nullptr, false);
  return parsed.is_object() ? parsed : json::object();
}

std::vector<json> parse_objects(const std::vector<std::string>& texts) {
  std::vector<json> objects;
  objects.reserve(texts.size());
  for (const std::string& text : texts) objects.push_back(parse_object(text));
  return objects;
}

std::string text_of(const json& object, const char* name) {
  const json& value = member(object, name);
  if (value.is_string()) return printable(value.get_ref<const std::string&>());
  return value.is_null() ? "-" : printable(value.dump(-1, ' ', true, json::error_handler_t::replace));
}

std::uint64_t number_of(const json& object, const char* name) {
  const json& value = member(object, name);
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  const double number = value.is_number() ? value.get<double>() : 0;
  return number > 0 && number < 1.8e19 ? static_cast<std::uint64_t>(number) : 0;
}

bool flag_of(const json& object, const char* name) {
  const json& value = member(object, name);
  return value.is_boolean() && value.get<bool>();
}

std::string key_of(const json& object) {
  const json& plain = member(object, "key");
  if (plain.is_string()) return plain.get<std::string>();
  const json& encoded = member(object, "key_b64");
  if (!encoded.is_string()) return {};
  return base64_decode(encoded.get_ref<const std::string&>()).value_or(std::string());
}

std::string actions_of(const json& object) {
  const json& actions = member(object, "actions");
  std::string text;
  if (!member(actions, "near_cache").is_null()) add_action(text, "near_cache");
  const json& pool = member(actions, "hot_pool");
  if (!pool.is_null()) add_action(text, "hot_pool " + text_of(pool, "copies"));
  const json& split = member(actions, "split");
  if (!split.is_null()) add_action(text, "split " + text_of(split, "shards"));
  if (flag_of(actions, "alert")) add_action(text, "alert");
  return text.empty() ? "-" : text;
}

std::string json_array(const std::vector<std::string>& texts) {
  std::string array = "[";
  for (const std::string& text : texts) {
    if (array.size() > 1) array += ",";
    array += text;
  }
  return array + "]";
}

}  // namespace hotkeyd
