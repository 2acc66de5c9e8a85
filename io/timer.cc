#include "io/timer.h"

#include <cstdint>
#include <utility>

namespace hotkeyd {

struct Timer::State {
  explicit State(asio::io_context& io) : timer(io) {}

  asio::steady_timer timer;
  std::function<void()> expired;
  std::uint64_t plan = 0;  // Grows with every start and cancel: a handler of an older plan does nothing.
};

Timer::Timer(asio::io_context& io) : state_(std::make_shared<State>(io)) {}

Timer::~Timer() { cancel(); }

void Timer::start(Time when, std::function<void()> expired) {
  state_->expired = std::move(expired);
  const std::uint64_t plan = ++state_->plan;
  state_->timer.expires_at(when);
  state_->timer.async_wait([state = state_, plan](error_code) {
    if (plan == state->plan) std::exchange(state->expired, nullptr)();
  });
}

void Timer::cancel() {
  ++state_->plan;
  state_->expired = nullptr;
  state_->timer.cancel();
}

}  // namespace hotkeyd
