// Lets any thread have a function called on the loop soon; what is asked before the call comes is one call.
//
// `wake` never blocks and may be called from any thread; the function runs on the loop's thread, never within
// `wake`. What was done before a `wake` is seen by a call after it. The waker may be destroyed at any time on
// the loop's thread, also by the call itself: none comes then.
#pragma once

#include <functional>
#include <memory>

#include "io/asio.h"

namespace hotkeyd {

class Waker {
 public:
  Waker(asio::io_context& io, std::function<void()> woken);
  Waker(const Waker&) = delete;
  Waker& operator=(const Waker&) = delete;

  void wake();

 private:
  struct State;
  asio::io_context& io_;
  std::shared_ptr<State> state_;  // Posted calls hold it weakly.
};

}  // namespace hotkeyd
