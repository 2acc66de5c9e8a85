#include "daemon/state_keeper.h"

#include <utility>

namespace hotkeyd {
namespace {

// An answer may lead to the next order at once.
void answer(std::vector<StateKeeper::Saved>& waiting, const Result<void>& result) {
  for (const StateKeeper::Saved& saved : std::exchange(waiting, {})) saved(result);
}

}  // namespace

StateKeeper::StateKeeper(StateHeader header, const Detector& detector, Write write)
    : header_(std::move(header)), detector_(detector), write_(std::move(write)) {}

StateImage StateKeeper::begin(UnixMs hot_at_ms, Now now) {
  capture_orders();
  capture_hot(now);
  hot_is_old_ = !hot_->empty();
  header_.hot_at_ms = hot_at_ms;
  header_.saved_at_ms = now.unix_ms;
  writing_since_ = now.steady;
  return {header_, orders_, hot_};
}

void StateKeeper::orders_changed(Saved saved, Now now) {
  orders_changed_ = true;
  stats_.is_unsaved = true;
  waiting_.push_back(std::move(saved));
  if (!writing_since_) write(now);
}

void StateKeeper::tick(Now now) {
  lose_patience(now);
  write_if_due(now);
}

bool StateKeeper::is_hot_due(Now now) const {
  if (stats_.is_unsaved && now.steady < retry_at_) return false;
  const Duration age = now.steady - hot_captured_;
  const bool has_changed = hot_is_old_ || detector_.decisions() != hot_decisions_;
  if (has_changed) return age >= kHotInterval;
  return !hot_->empty() && age >= std::chrono::milliseconds{header_.lease_ms} / 3;
}

void StateKeeper::write_if_due(Now now) {
  if (writing_since_) return;
  if (!waiting_.empty() || is_retry_due(now) || is_hot_due(now)) return write(now);
}

void StateKeeper::capture_orders() {
  orders_ = std::make_shared<const SavedOrders>(detector_.save_orders());
  orders_changed_ = false;
}

void StateKeeper::capture_hot(Now now) {
  hot_ = std::make_shared<const SavedHotSets>(detector_.save_hot_sets());
  hot_decisions_ = detector_.decisions();
  hot_is_old_ = false;
  hot_captured_ = now.steady;
  header_.hot_at_ms = now.unix_ms;
}

void StateKeeper::write(Now now) {
  if (orders_changed_) capture_orders();
  if (stopped_ || is_hot_due(now)) capture_hot(now);
  is_last_ = static_cast<bool>(stopped_);
  header_.saved_at_ms = now.unix_ms;
  writing_since_ = now.steady;
  in_write_ = std::exchange(waiting_, {});
  write_({header_, orders_, hot_});
}

void StateKeeper::written(const Result<void>& result, Now now) {
  writing_since_.reset();
  result ? on_saved(now) : on_failed(result.error(), now);
  answer(in_write_, result);
  if (is_last_ && waiting_.empty()) return std::exchange(stopped_, nullptr)();
  stopped_ ? write(now) : write_if_due(now);
}

void StateKeeper::on_saved(Now now) {
  const bool had_failed = retry_at_ != Time{};
  if (had_failed) log_info("state_saved_again", {{"failures", stats_.failed}});
  retry_at_ = {};
  backoff_.reset();
  ++stats_.saved;
  stats_.last_saved_ms = now.unix_ms;
  stats_.is_unsaved = orders_changed_;
}

void StateKeeper::on_failed(const std::string& cause, Now now) {
  ++stats_.failed;
  stats_.is_unsaved = true;
  retry_at_ = now.steady + backoff_.next();
  if (log_limit_.allow(now.steady)) {
    log_warning(
        "state_not_saved",
        {{"cause", cause}, {"effect", "orders hold, but would not survive a restart; it is tried again"}});
  }
}

// The write goes on; whoever waits for it is not kept.
void StateKeeper::lose_patience(Now now) {
  if (!writing_since_ || now.steady - *writing_since_ < kPatience) return;
  const Result<void> late = Error{"the disk has not answered for 10 s"};
  answer(in_write_, late);
  answer(waiting_, late);
}

void StateKeeper::stop(std::function<void()> stopped, Now now) {
  stopped_ = std::move(stopped);
  if (!writing_since_) write(now);
}

}  // namespace hotkeyd
