// Reads members of a parsed JSON object, remembering the first one that is missing or has the wrong type.
//
// A reader never throws. Once something failed every further read gives a default and `error` stays. For the
// .cc files of this folder only: nlohmann-json is no part of the interface. Pure; one thread.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace hotkeyd {

class JsonReader {
 public:
  // `object` must outlive the reader; anything but an object reads as one without members.
  JsonReader(const nlohmann::json& object, std::string* error) : object_(object), error_(error) {}

  std::string text(const char* name);
  bool boolean(const char* name);
  double fraction(const char* name);
  std::uint64_t number(const char* name, std::uint64_t max = std::numeric_limits<std::uint64_t>::max());
  std::int64_t signed_number(const char* name);
  std::uint32_t small_number(const char* name);
  // The raw bytes of `key`, or of `key_b64` where `key` is null.
  std::string key();
  // The member whatever it is; null where it is missing (an error).
  const nlohmann::json& member(const char* name);
  // Whether the member is there and not null.
  bool has(const char* name) const;

  JsonReader of(const nlohmann::json& element) { return JsonReader(element, error_); }
  JsonReader object(const char* name) { return JsonReader(member(name), error_); }
  void fail(const char* name, std::string_view reason);
  bool failed() const { return !error_->empty(); }

 private:
  const nlohmann::json* find(const char* name) const;

  const nlohmann::json& object_;
  std::string* error_;
};

}  // namespace hotkeyd
