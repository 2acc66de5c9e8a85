#include "daemon/state_bytes.h"

#include <algorithm>

namespace hotkeyd {
namespace {

template <typename Unsigned>
void append(std::string& out, Unsigned value) {
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

// Of no bytes: 0.
template <typename Unsigned>
Unsigned load(std::string_view bytes) {
  Unsigned value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

void StateWriter::u32(std::size_t value) { append(bytes_, static_cast<std::uint32_t>(value)); }
void StateWriter::u64(std::uint64_t value) { append(bytes_, value); }

void StateWriter::text(std::string_view text) {
  u32(text.size());
  raw(text);
}

void StateWriter::time(std::int64_t value) {
  u64(static_cast<std::uint64_t>(std::clamp<std::int64_t>(value, 0, kStateTimeMax)));
}

void StateWriter::optional_time(std::optional<UnixMs> value) {
  flag(value.has_value());
  if (value) time(*value);
}

void StateReader::fail() {
  is_good_ = false;
  left_ = {};
}

std::string_view StateReader::take(std::size_t size) {
  if (size > left_.size()) fail();
  if (!is_good_) return {};
  const std::string_view taken = left_.substr(0, size);
  left_.remove_prefix(size);
  return taken;
}

std::uint8_t StateReader::u8() {
  const std::string_view taken = take(1);
  return taken.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(taken[0]);
}
std::uint32_t StateReader::u32() { return load<std::uint32_t>(take(4)); }
std::uint64_t StateReader::u64() { return load<std::uint64_t>(take(8)); }

std::string StateReader::text() { return std::string(take(u32())); }

std::int64_t StateReader::time() {
  const std::uint64_t value = u64();
  if (value > static_cast<std::uint64_t>(kStateTimeMax)) fail();
  return is_good_ ? static_cast<std::int64_t>(value) : 0;
}

std::optional<UnixMs> StateReader::optional_time() { return flag() ? std::optional(time()) : std::nullopt; }

std::uint8_t StateReader::u8_up_to(std::uint8_t last) {
  const std::uint8_t value = u8();
  if (value > last) fail();
  return is_good_ ? value : std::uint8_t{0};
}

}  // namespace hotkeyd
