#include "daemon/state_service.h"

#include <pthread.h>

#include <boost/asio/post.hpp>
#include <csignal>
#include <exception>
#include <utility>

#include "base/log.h"

namespace hotkeyd {

StateService::StateService(asio::io_context& data, const StateServiceOptions& options, Detector& detector,
                           Now start, Note note)
    : data_(data), detector_(detector), note_(std::move(note)), path_(options.path) {
  if (path_) {
    disk_ = open_state_disk(*path_);
    claimed_ = disk_->claim();
  }
  auto stored = path_ ? read() : std::nullopt;
  is_found_ = stored.has_value();
  start_ = plan_start(std::move(stored), options.node, start.unix_ms);
  if (!path_) return;
  const StateHeader header{options.node, start_.epoch, start.unix_ms, start.unix_ms, to_ms(options.lease)};
  keeper_ = std::make_unique<StateKeeper>(header, detector_,
                                          [this](StateImage image) { save_later(std::move(image)); });
}

StateService::~StateService() = default;

std::optional<StoredState> StateService::read() {
  const auto bytes = disk_->read();
  if (!bytes) {
    damage_ = bytes.error();
    return std::nullopt;
  }
  if (!*bytes) return std::nullopt;
  auto state = decode_state(**bytes);
  if (state) return std::move(*state);
  damage_ = *path_ + " " + state.error();
  return std::nullopt;
}

void StateService::restore(Now now) {
  if (!path_) return;
  const Restored restored = detector_.restore(start_.orders, start_.hot, now);
  start_.orders = {};
  start_.hot = {};
  if (!is_found_) return log_info("state_begun", {{"path", *path_}, {"epoch", start_.epoch}});
  log_info("state_read", {{"path", *path_},
                          {"epoch", start_.epoch},
                          {"orders", restored.orders},
                          {"orders_ended", restored.orders_ended},
                          {"hot_keys", restored.hot_keys},
                          {"hot_keys_dropped", restored.hot_keys_dropped}});
  if (!start_.hot_refused.empty()) log_info("hot_set_not_continued", {{"cause", start_.hot_refused}});
  if (restored.orders_refused > 0) {
    log_warning("orders_not_restored", {{"orders", restored.orders_refused},
                                        {"cause", "beyond a limit, or of a namespace that may not be used"}});
  }
}

void StateService::begin(Now now) {
  if (!path_) return;
  std::signal(SIGXFSZ, SIG_IGN);  // A file size limit is an error to report, not the end of the process.
  set_damaged_aside(now);
  keeper_->written(save(keeper_->begin(start_.hot_at_ms, now)), now);
  note_(keeper_->stats());
  writer_ = std::make_unique<asio::thread_pool>(1);
  asio::post(*writer_, [] { pthread_setname_np(pthread_self(), "hotkeyd-state"); });
}

void StateService::set_damaged_aside(Now now) {
  if (damage_.empty()) return;
  const auto aside = disk_->set_aside(now.unix_ms);
  log_warning(
      "state_not_read",
      {{"cause", damage_}, {"kept", aside ? *aside : "not: " + aside.error()}, {"effect", "starts anew"}});
}

void StateService::orders_changed(StateKeeper::Saved saved) {
  keeper_->orders_changed(std::move(saved), read_clocks());
  note_(keeper_->stats());
}

void StateService::tick(Now now) {
  if (keeper_ && writer_) keeper_->tick(now);
}

void StateService::set_lease(Duration lease) {
  if (keeper_) keeper_->set_lease(lease);
}

void StateService::stop(std::function<void()> stopped) {
  if (!writer_) return stopped();
  keeper_->stop(std::move(stopped), read_clocks());
}

Result<void> StateService::save(const StateImage& image) const {
  try {
    return disk_->replace(encode_state(image.header, *image.orders, *image.hot));
  } catch (const std::exception& error) {
    return Error{*path_ + ": " + error.what()};
  }
}

void StateService::save_later(StateImage image) {
  asio::post(*writer_, [this, saved = std::move(image)] {
    asio::post(data_, [this, result = save(saved)] { written(result); });
  });
}

void StateService::written(const Result<void>& result) {
  keeper_->written(result, read_clocks());
  note_(keeper_->stats());
}

}  // namespace hotkeyd
