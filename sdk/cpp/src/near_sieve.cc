#include "sdk/cpp/src/near_sieve.h"

namespace hotkeyd::sdk {

void NearSieve::add(NearEntry* entry) {
  entry->older = newest_;
  entry->newer = nullptr;
  (newest_ != nullptr ? newest_->newer : oldest_) = entry;
  newest_ = entry;
}

void NearSieve::remove(NearEntry* entry) {
  if (hand_ == entry) hand_ = entry->newer;
  (entry->newer != nullptr ? entry->newer->older : newest_) = entry->older;
  (entry->older != nullptr ? entry->older->newer : oldest_) = entry->newer;
}

NearEntry* NearSieve::victim() {
  NearEntry* at = hand_ != nullptr ? hand_ : oldest_;
  while (at != nullptr && at->is_visited.exchange(false, std::memory_order_relaxed))
    at = at->newer != nullptr ? at->newer : oldest_;
  hand_ = at;
  return at;
}

}  // namespace hotkeyd::sdk
