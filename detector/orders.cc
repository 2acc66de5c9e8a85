#include "detector/orders.h"

#include <fmt/format.h>

#include <algorithm>

namespace hotkeyd {

Result<void> OrderBook::check_limits(std::string_view key) const {
  if (orders_.size() >= orders_max_) {
    return Error{fmt::format("order limit ({}) reached: take an order of this kind back first", orders_max_)};
  }
  if (key_bytes_ + key.size() > kKeyBytesMax) {
    return Error{fmt::format("order limit ({} MiB of keys) reached: take an order of this kind back first",
                             kKeyBytesMax >> 20)};
  }
  return {};
}

Result<void> OrderBook::give(std::string_view key, std::optional<UnixMs> ends_ms, UnixMs now_ms) {
  auto found = orders_.find(key);
  if (found == orders_.end()) {
    if (auto within = check_limits(key); !within) return within;
    found = orders_.emplace(key, Order{now_ms, ends_ms}).first;
    key_bytes_ += key.size();
  }
  found->second.ends_ms = ends_ms;
  if (ends_ms) first_end_ms_ = std::min(*ends_ms, first_end_ms_.value_or(*ends_ms));
  return {};
}

void OrderBook::take_back(std::string_view key) {
  const auto found = orders_.find(key);
  if (found == orders_.end()) return;
  key_bytes_ -= found->first.size();
  orders_.erase(found);
}

std::vector<std::string> OrderBook::end_expired(UnixMs now_ms) {
  if (!first_end_ms_ || *first_end_ms_ > now_ms) return {};
  std::vector<std::string> ended;
  first_end_ms_.reset();
  for (const auto& [key, order] : orders_) {
    if (order.has_ended(now_ms)) {
      ended.push_back(key);
    } else if (order.ends_ms) {
      first_end_ms_ = std::min(*order.ends_ms, first_end_ms_.value_or(*order.ends_ms));
    }
  }
  for (const std::string& key : ended) take_back(key);
  return ended;
}

std::vector<SavedOrder> OrderBook::save() const {
  std::vector<SavedOrder> saved;
  saved.reserve(orders_.size());
  for (const auto& [key, order] : orders_) saved.push_back({key, order.since_ms, order.ends_ms});
  return saved;
}

void OrderBook::restore(const std::vector<SavedOrder>& saved, UnixMs now_ms, Restored& count) {
  for (const SavedOrder& order : saved) {
    if (Order{order.since_ms, order.ends_ms}.has_ended(now_ms)) {
      ++count.orders_ended;
    } else {
      const auto given = give(order.key, order.ends_ms, std::min(order.since_ms, now_ms));
      ++(given ? count.orders : count.orders_refused);
    }
  }
}

const Order* OrderBook::find(std::string_view key) const {
  const auto found = orders_.find(key);
  return found == orders_.end() ? nullptr : &found->second;
}

std::vector<std::string> OrderBook::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, order] : orders_) keys.push_back(key);
  return keys;
}

}  // namespace hotkeyd
