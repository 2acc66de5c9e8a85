// The application's event callbacks: added and removed by any thread, called by the background thread.
//
// A callback may add and remove callbacks, itself included. `remove` waits until a call in progress is over,
// except on the background thread itself.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "hotkey/event.h"

namespace hotkeyd::sdk {

class Callbacks {
 public:
  using Callback = std::function<void(const hotkey::Event&)>;
  static constexpr std::size_t kCallbacksMax = 64;

  std::uint64_t add(Callback callback);  // 0 when there are too many.
  void remove(std::uint64_t id);
  bool empty() const;
  // Calls all of them in order; returns what the first that failed threw.
  std::string call(const hotkey::Event& event);

  std::mutex& mutex() { return mutex_; }  // Held over fork.
  void forget_call() { caller_ = {}; }    // In a forked child: the caller is not there. `mutex` is held.

 private:
  struct Registered {
    std::uint64_t id;
    Callback callback;
  };
  using List = std::vector<std::shared_ptr<const Registered>>;

  bool is_registered(std::uint64_t id) const;

  mutable std::mutex mutex_;
  std::condition_variable call_over_;
  List list_;
  std::uint64_t last_id_ = 0;
  std::thread::id caller_;  // The background thread while it calls.
};

}  // namespace hotkeyd::sdk
