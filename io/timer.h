// A timer that may be destroyed or started anew at any time: the call it had planned then does not come.
//
// (A handler of Asio's own timer that is already queued runs even after the timer is gone.) One thread.
#pragma once

#include <functional>
#include <memory>

#include "base/clock.h"
#include "io/asio.h"

namespace hotkeyd {

class Timer {
 public:
  explicit Timer(asio::io_context& io);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Calls `expired` once, at `when`; takes the place of what was planned before.
  void start(Time when, std::function<void()> expired);
  void cancel();

 private:
  struct State;
  std::shared_ptr<State> state_;  // Shared with the handler that waits in the loop.
};

}  // namespace hotkeyd
