// Which copy makes room: SIEVE (Zhang et al., NSDI 2024).
//
// Copies stand in the order they came; a hand goes from the oldest to the newest, spares those that were read
// since it last came by, and takes the first that was not. A hit only sets a mark, so that readers share the
// line. Pure; one thread at a time.
#pragma once

#include "sdk/cpp/src/near_entry.h"

namespace hotkeyd::sdk {

class NearSieve {
 public:
  void add(NearEntry* entry);
  void remove(NearEntry* entry);
  NearEntry* victim();  // Still in the list; null when it is empty.
  NearEntry* oldest() const { return oldest_; }

 private:
  NearEntry* newest_ = nullptr;
  NearEntry* oldest_ = nullptr;
  NearEntry* hand_ = nullptr;
};

}  // namespace hotkeyd::sdk
