#include "sdk/cpp/src/invalidations.h"

namespace hotkeyd::sdk {

bool Invalidations::push(std::string_view key) {
  const std::lock_guard lock(mutex_);
  if (keys_.size() == kKeysMax || bytes_ + key.size() > kBytesMax) return false;
  keys_.emplace_back(key);
  bytes_ += key.size();
  return true;
}

std::vector<std::string> Invalidations::take() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> taken;
  if (in_flight_ != 0) return taken;
  std::size_t bytes = 0;
  for (const std::string& key : keys_) {
    bytes += key.size();
    if (taken.size() == kCommandKeysMax || (bytes > kCommandBytesMax && !taken.empty())) break;
    taken.push_back(key);
  }
  in_flight_ = taken.size();
  return taken;
}

void Invalidations::answered() {
  const std::lock_guard lock(mutex_);
  for (; in_flight_ > 0; --in_flight_) {
    bytes_ -= keys_.front().size();
    keys_.pop_front();
  }
}

void Invalidations::connection_lost() {
  const std::lock_guard lock(mutex_);
  in_flight_ = 0;
}

bool Invalidations::empty() const {
  const std::lock_guard lock(mutex_);
  return keys_.empty();
}

}  // namespace hotkeyd::sdk
