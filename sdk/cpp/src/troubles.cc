#include "sdk/cpp/src/troubles.h"

#include <algorithm>

namespace hotkeyd::sdk {
namespace {

constexpr std::size_t kToldMax = 16;
constexpr Duration kQuiet = std::chrono::seconds(10);

}  // namespace

void Troubles::report(std::string_view sentence, Time now) noexcept {
  try {
    if (is_fresh(sentence, now) && sink_) sink_(sentence);
  } catch (...) {  // The application's own.
  }
}

bool Troubles::is_fresh(std::string_view sentence, Time now) {
  const std::lock_guard lock(mutex_);
  last_ = sentence;
  const auto told =
      std::find_if(told_.begin(), told_.end(), [&](const auto& known) { return known.first == sentence; });
  if (told != told_.end() && now - told->second < kQuiet) return false;
  if (told != told_.end()) told_.erase(told);
  if (told_.size() == kToldMax) told_.pop_front();
  told_.emplace_back(sentence, now);
  return true;
}

std::string Troubles::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

void Troubles::clear_last() {
  const std::lock_guard lock(mutex_);
  last_.clear();
}

}  // namespace hotkeyd::sdk
