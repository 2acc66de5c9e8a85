#include "publisher/waker.h"

#include <atomic>
#include <utility>

namespace hotkeyd {

struct Waker::State {
  explicit State(std::function<void()> function) : woken(std::move(function)) {}

  std::function<void()> woken;
  std::atomic<bool> is_pending{false};
};

Waker::Waker(asio::io_context& io, std::function<void()> woken)
    : io_(io), state_(std::make_shared<State>(std::move(woken))) {}

void Waker::wake() {
  if (state_->is_pending.exchange(true)) return;
  asio::post(io_, [weak = std::weak_ptr(state_)] {
    const auto state = weak.lock();
    if (!state) return;
    state->is_pending = false;
    state->woken();
  });
}

}  // namespace hotkeyd
