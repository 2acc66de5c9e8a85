#include "sdk/cpp/src/drain.h"

namespace hotkeyd::sdk {

void Drain::flush(bool is_reachable, Time now) {
  const auto& recorders = pool_.recorders();
  const std::uint64_t dropped_so_far = pool_.dropped() + dropped_;
  std::size_t taken = 0;
  while (taken < recorders.size() &&
         take(*recorders[(first_ + taken) % recorders.size()], dropped_so_far, now))
    ++taken;
  outbox_.seal(dropped_so_far);
  const bool is_complete = taken == recorders.size();
  if (!is_complete) first_ = (first_ + taken) % recorders.size();
  if (is_complete) held_since_.reset();
  if (is_complete) return;
  if (!held_since_) held_since_ = now;
  if (is_reachable && now - *held_since_ < kWaitMax) return;
  for (Recorder* recorder : recorders) drop(*recorder, now);
  held_since_.reset();
}

bool Drain::take(Recorder& recorder, std::uint64_t dropped_so_far, Time now) {
  return recorder.take(now, [&](const Growth& growth) {
    if (outbox_.add(growth, recorder.taken_at())) return true;
    outbox_.seal(dropped_so_far);
    return outbox_.add(growth, recorder.taken_at());
  });
}

void Drain::drop(Recorder& recorder, Time now) {
  recorder.take(now, [&](const Growth& growth) {
    dropped_ += growth.accesses();
    return true;
  });
}

}  // namespace hotkeyd::sdk
