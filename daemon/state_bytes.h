// Integers, strings, times and enumerations in the state file: their writer and their reader.
//
// The reader never reads past its bytes: after the first value that is missing or out of range it has failed,
// and every further one is zero. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"

namespace hotkeyd {

// Of Unix milliseconds, durations in ms and epochs: any sum of a few stays in range.
inline constexpr std::int64_t kStateTimeMax = std::int64_t{1} << 60;

class StateWriter {
 public:
  void raw(std::string_view bytes) { bytes_ += bytes; }
  void u8(std::uint8_t value) { bytes_ += static_cast<char>(value); }
  void u32(std::size_t value);  // Cut to 32 bits: every count here is far below.
  void u64(std::uint64_t value);
  void text(std::string_view text);
  void flag(bool value) { u8(value ? 1 : 0); }
  void time(std::int64_t value);  // Cut to 0 .. kStateTimeMax: an end that far away is as good as none.
  void optional_time(std::optional<UnixMs> value);
  template <typename Enum>
  void choice(Enum value) {
    u8(static_cast<std::uint8_t>(value));
  }

  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class StateReader {
 public:
  explicit StateReader(std::string_view bytes) : left_(bytes) {}

  std::uint8_t u8();
  std::uint32_t u32();
  std::uint64_t u64();
  std::string text();
  bool flag() { return u8_up_to(1) != 0; }
  std::int64_t time();  // 0 to kStateTimeMax.
  std::optional<UnixMs> optional_time();
  template <typename Enum>
  Enum choice(Enum last) {
    return static_cast<Enum>(u8_up_to(static_cast<std::uint8_t>(last)));
  }

  void fail();
  bool is_good() const { return is_good_; }
  // Nothing failed, nothing is left.
  bool is_done() const { return is_good_ && left_.empty(); }

 private:
  std::string_view take(std::size_t size);
  std::uint8_t u8_up_to(std::uint8_t last);

  std::string_view left_;
  bool is_good_ = true;
};

}  // namespace hotkeyd
