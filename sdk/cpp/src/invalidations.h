// Keys whose change is still to be told: pushed by any thread, taken by the background thread.
//
// A key taken is in flight until its command is answered; a lost connection puts it back. Telling twice is
// harmless. Bounded in keys and bytes, in flight included.
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace hotkeyd::sdk {

class Invalidations {
 public:
  static constexpr std::size_t kKeysMax = 1024;
  static constexpr std::size_t kBytesMax = 1 << 20;
  static constexpr std::size_t kCommandKeysMax = 128;
  static constexpr std::size_t kCommandBytesMax = 256 * 1024;

  bool push(std::string_view key);  // False when full.
  // The next keys for one command; empty when there are none or one is unanswered.
  std::vector<std::string> take();
  void answered();
  void connection_lost();
  bool empty() const;

 private:
  mutable std::mutex mutex_;
  std::deque<std::string> keys_;  // Those in flight first.
  std::size_t in_flight_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace hotkeyd::sdk
