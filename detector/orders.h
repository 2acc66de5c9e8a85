// What operators ordered of keys: pins or denials, with their ends.
//
// A new order for a key replaces the older one. Bounded: `orders_max` keys and 4 MiB of key bytes; one more
// is refused, the others stand. Ends are absolute Unix times, so that they survive a restart.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "detector/saved_state.h"

namespace hotkeyd {

struct Order {
  UnixMs since_ms = 0;
  std::optional<UnixMs> ends_ms;  // nullopt: until taken back.

  bool has_ended(UnixMs now_ms) const { return ends_ms && *ends_ms <= now_ms; }
};

class OrderBook {
 public:
  static constexpr std::size_t kKeyBytesMax = 4 << 20;

  explicit OrderBook(std::size_t orders_max) : orders_max_(orders_max) {}

  // Errors: "order limit (10000) reached: ..." and the like for the key bytes.
  Result<void> give(std::string_view key, std::optional<UnixMs> ends_ms, UnixMs now_ms);
  void take_back(std::string_view key);
  // Removes the orders that have ended; their keys, in byte order.
  std::vector<std::string> end_expired(UnixMs now_ms);

  // In byte order of the keys.
  std::vector<SavedOrder> save() const;
  // Those that have not ended, up to the limits.
  void restore(const std::vector<SavedOrder>& saved, UnixMs now_ms, Restored& count);

  const Order* find(std::string_view key) const;
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  std::vector<std::string> keys() const;  // In byte order.
  std::size_t key_bytes() const { return key_bytes_; }

 private:
  Result<void> check_limits(std::string_view key) const;

  std::size_t orders_max_;
  std::size_t key_bytes_ = 0;
  std::map<std::string, Order, std::less<>> orders_;
  std::optional<UnixMs> first_end_ms_;  // No order ends before it.
};

}  // namespace hotkeyd
