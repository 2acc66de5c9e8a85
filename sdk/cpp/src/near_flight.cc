#include "sdk/cpp/src/near_flight.h"

#include <utility>

namespace hotkeyd::sdk {

void NearFlight::set(NearValuePtr value, std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  value_ = std::move(value);
  failure_ = std::move(failure);
  is_done_ = true;
  done_.notify_all();
}

bool NearFlight::wait_until(Time deadline) {
  std::unique_lock lock(mutex_);
  return done_.wait_until(lock, deadline, [this] { return is_done_; });
}

NearValuePtr NearFlight::get() const {
  if (failure_) std::rethrow_exception(failure_);
  return value_;
}

}  // namespace hotkeyd::sdk
