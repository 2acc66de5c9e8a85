// Tells the application what goes wrong, the same sentence at most every ten seconds. Any thread.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"

namespace hotkeyd::sdk {

class Troubles {
 public:
  using Sink = std::function<void(std::string_view)>;
  explicit Troubles(Sink sink) : sink_(std::move(sink)) {}

  // What the sink throws is swallowed.
  void report(std::string_view sentence, Time now) noexcept;
  std::string last() const;
  void clear_last();                      // It is over: the connection stands.
  std::mutex& mutex() { return mutex_; }  // Held over fork.

 private:
  bool is_fresh(std::string_view sentence, Time now);

  const Sink sink_;
  mutable std::mutex mutex_;
  std::string last_;
  std::deque<std::pair<std::string, Time>> told_;  // The latest few.
};

}  // namespace hotkeyd::sdk
