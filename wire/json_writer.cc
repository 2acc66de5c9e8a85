#include "wire/json_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "wire/event.h"

namespace hotkeyd {
namespace {

template <typename Number>
void append_decimal(std::string& out, Number value) {
  std::array<char, 24> digits;
  out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

}  // namespace

void append_json_key(std::string& out, std::string_view key) {
  if (is_valid_utf8(key)) {
    out += "\"key\":";
    append_json_string(out, key);
    return;
  }
  out += "\"key\":null,\"key_b64\":\"";
  out += base64_encode(key);
  out += '"';
}

void JsonWriter::begin_object(std::string_view name) {
  begin_member(name);
  out_ += '{';
}

void JsonWriter::text(std::string_view name, std::string_view value) {
  begin_member(name);
  append_json_string(out_, is_valid_utf8(value) ? value : redis_escape(value));
}

void JsonWriter::fraction(std::string_view name, double value) {
  const double within = value > 0 ? std::min(value, 1.0) : 0;
  auto left = static_cast<unsigned>(std::lround(within * 10'000));
  begin_member(name);
  out_ += static_cast<char>('0' + left / 10'000);
  left %= 10'000;
  if (left != 0) out_ += '.';
  for (unsigned unit = 1'000; left != 0; unit /= 10) {
    out_ += static_cast<char>('0' + left / unit);
    left %= unit;
  }
}

void JsonWriter::key(std::string_view key_bytes) {
  if (out_.back() != '{') out_ += ',';
  append_json_key(out_, key_bytes);
}

void JsonWriter::array(std::string_view name, std::span<const std::string> json_elements) {
  begin_member(name);
  out_ += '[';
  for (const std::string& element : json_elements) {
    if (out_.back() != '[') out_ += ',';
    out_ += element;
  }
  out_ += ']';
}

void JsonWriter::raw(std::string_view name, std::string_view json) {
  begin_member(name);
  out_ += json;
}

void JsonWriter::begin_member(std::string_view name) {
  if (out_.back() != '{') out_ += ',';
  out_ += '"';
  out_ += name;
  out_ += "\":";
}

void JsonWriter::unsigned_number(std::string_view name, unsigned long long value) {
  begin_member(name);
  append_decimal(out_, value);
}

void JsonWriter::signed_number(std::string_view name, long long value) {
  begin_member(name);
  append_decimal(out_, value);
}

}  // namespace hotkeyd
