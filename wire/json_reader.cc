#include "wire/json_reader.h"

#include <utility>

#include "base/text.h"

namespace hotkeyd {
namespace {

using Json = nlohmann::json;

const Json& null_json() {
  static const Json null;
  return null;
}

}  // namespace

const Json* JsonReader::find(const char* name) const {
  if (!object_.is_object()) return nullptr;
  const auto found = object_.find(name);
  return found == object_.end() ? nullptr : &*found;
}

bool JsonReader::has(const char* name) const {
  const Json* found = find(name);
  return found != nullptr && !found->is_null();
}

const Json& JsonReader::member(const char* name) {
  if (const Json* found = find(name)) return *found;
  fail(name, "is missing");
  return null_json();
}

void JsonReader::fail(const char* name, std::string_view reason) {
  if (!failed()) *error_ = std::string(name) + ' ' + std::string(reason);
}

std::string JsonReader::text(const char* name) {
  const Json& found = member(name);
  if (const auto* value = found.get_ptr<const std::string*>()) return *value;
  fail(name, "is not text");
  return {};
}

bool JsonReader::boolean(const char* name) {
  const Json& found = member(name);
  if (const auto* value = found.get_ptr<const bool*>()) return *value;
  fail(name, "is not true or false");
  return false;
}

double JsonReader::fraction(const char* name) {
  const Json& found = member(name);
  if (found.is_number()) return found.get<double>();
  fail(name, "is not a number");
  return 0;
}

std::uint64_t JsonReader::number(const char* name, std::uint64_t max) {
  const Json& found = member(name);
  const auto* value = found.get_ptr<const Json::number_unsigned_t*>();
  if (value != nullptr && *value <= max) return *value;
  fail(name, "is not an integer in range");
  return 0;
}

std::int64_t JsonReader::signed_number(const char* name) {
  return static_cast<std::int64_t>(number(name, std::numeric_limits<std::int64_t>::max()));
}

std::uint32_t JsonReader::small_number(const char* name) {
  return static_cast<std::uint32_t>(number(name, std::numeric_limits<std::uint32_t>::max()));
}

std::string JsonReader::key() {
  if (!member("key").is_null()) return text("key");
  auto bytes = base64_decode(text("key_b64"));
  if (!bytes) fail("key_b64", "is not base64");
  return std::move(bytes).value_or(std::string());
}

}  // namespace hotkeyd
