// Appends the members of JSON objects in the order they are called, with nothing in between.
//
// Linear and without allocation beyond the target string. Pure; one thread.
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <string_view>

namespace hotkeyd {

class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  void begin_object() { out_ += '{'; }       // The outermost.
  void begin_object(std::string_view name);  // A member.
  void end_object() { out_ += '}'; }

  // Text that is not valid UTF-8 is escaped as Redis does.
  void text(std::string_view name, std::string_view value);
  void boolean(std::string_view name, bool value) { raw(name, value ? "true" : "false"); }
  void null(std::string_view name) { raw(name, "null"); }
  // Rounded to 4 decimals, without trailing zeros; values outside 0 to 1 are cut.
  void fraction(std::string_view name, double value);
  template <std::integral Number>
  void number(std::string_view name, Number value) {
    if constexpr (std::unsigned_integral<Number>) {
      unsigned_number(name, value);
    } else {
      signed_number(name, value);
    }
  }
  void key(std::string_view key_bytes);  // As append_json_key.
  void array(std::string_view name, std::span<const std::string> json_elements);

 private:
  void raw(std::string_view name, std::string_view json);
  void begin_member(std::string_view name);
  void unsigned_number(std::string_view name, unsigned long long value);
  void signed_number(std::string_view name, long long value);

  std::string& out_;
};

}  // namespace hotkeyd
