// What `hotkeyctl load` is asked to do.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace hotkeyd {

struct LoadOptions {
  std::uint32_t processes = 4;
  std::uint64_t keys = 100'000;
  double zipf = 1.1;             // 0: all keys alike.
  std::uint64_t rate = 200'000;  // Accesses a second of all processes together.
  std::chrono::milliseconds duration{20'000};
  double write_share = 0;
  // From sale_at to sale_end (or the end) `sale_key` takes `sale_share` of all accesses, as reads.
  std::optional<std::chrono::milliseconds> sale_at;
  std::optional<std::chrono::milliseconds> sale_end;
  double sale_share = 0.5;
  std::string sale_key = "product:flash-sale";
  std::string key_prefix = "product:";
  std::uint64_t seed = 1;

  std::chrono::milliseconds sale_stop() const { return sale_end.value_or(duration); }
};

}  // namespace hotkeyd
