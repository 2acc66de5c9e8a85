// Waiting in integration tests: for a condition, never for a time.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace hotkeyd::testing {

// Looks until the condition holds; false when it does not within `patience`.
inline bool eventually(const std::function<bool()>& condition,
                       std::chrono::milliseconds patience = std::chrono::seconds{20}) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  return true;
}

}  // namespace hotkeyd::testing
