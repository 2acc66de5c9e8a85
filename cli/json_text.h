// Members of the daemon's JSON, for people: never throws, and whatever a newer or broken daemon sends reads
// as something printable. Pure; one thread.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hotkeyd {

// An object, or an empty one where the text is something else.
nlohmann::json parse_object(std::string_view text);
std::vector<nlohmann::json> parse_objects(const std::vector<std::string>& texts);

// The member as printable text: a string, a number as it is, "-" for null and what is missing.
std::string text_of(const nlohmann::json& object, const char* name);
std::uint64_t number_of(const nlohmann::json& object, const char* name);
bool flag_of(const nlohmann::json& object, const char* name);
// The raw bytes of `key`, or of `key_b64`.
std::string key_of(const nlohmann::json& object);
// What may be done about the key now: "near_cache, split 16, alert", or "-".
std::string actions_of(const nlohmann::json& object);

// "[a,b]": the texts are JSON already and go out byte for byte.
std::string json_array(const std::vector<std::string>& texts);

}  // namespace hotkeyd
