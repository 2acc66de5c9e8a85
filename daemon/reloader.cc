#include "daemon/reloader.h"

#include <utility>

#include "base/log.h"
#include "daemon/notify.h"

namespace hotkeyd {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out.empty() ? "nothing" : out;
}

void answer(std::vector<Reloader::Done>& all, const Result<void>& outcome) {
  for (const Reloader::Done& done : std::exchange(all, {})) {
    if (done) done(outcome);
  }
}

void log_change(const ConfigChange& change, const std::string& origin) {
  log_info("reloaded", {{"config", origin}, {"applied", joined(change.diff.applied)}});
  for (const std::string& address : change.opened) log_info("listening", {{"address", address}});
  for (const std::string& option : change.diff.needs_restart) {
    log_warning("restart_needed",
                {{"option", option}, {"note", "the running value stays in force until a restart"}});
  }
}

}  // namespace

void Reloader::request(Done done) {
  waiting_.push_back(std::move(done));
  if (stopping_) return refuse_waiting();
  if (!is_busy_) begin();
}

void Reloader::stop() {
  stopping_ = true;
  refuse_waiting();
}

void Reloader::refuse_waiting() {
  if (waiting_.empty()) return;
  log_error("not_reloaded", {{"cause", "the daemon is stopping"}});
  answer(waiting_, Error{"the daemon is stopping"});
}

void Reloader::begin() {
  is_busy_ = true;
  served_ = std::exchange(waiting_, {});
  notify_reloading(Clock::now());
  LoadedConfig loaded = load_();
  if (!loaded.outcome.config) return refuse(loaded.outcome.errors);
  auto change = open_change(running_, diff_configs(running_, *loaded.outcome.config), data_, control_);
  if (!change) return refuse({change.error()});
  origin_ = loaded.origin;
  apply(std::move(*change));
}

void Reloader::apply(ConfigChange change) {
  // Shared since a posted function must be copyable.
  auto shared = std::make_shared<ConfigChange>(std::move(change));
  asio::post(data_.io, [this, shared] {
    apply_to_data(*shared, data_, read_clocks());
    asio::post(control_.io, [this, shared] { commit(*shared); });
  });
}

void Reloader::commit(ConfigChange& change) {
  apply_to_control(change, control_);
  running_ = change.diff.in_force;
  log_change(change, origin_);
  figures_.note_reload(true, read_clocks().unix_ms);
  finish({});
}

void Reloader::refuse(const std::vector<std::string>& errors) {
  for (const std::string& error : errors) log_error("not_reloaded", {{"cause", error}});
  figures_.note_reload(false, read_clocks().unix_ms);
  finish(Error{errors.front()});
}

void Reloader::finish(const Result<void>& outcome) {
  if (!stopping_)
    notify_ready(outcome ? "Serving" : "Serving; the last reload was refused: " + outcome.error());
  is_busy_ = false;
  answer(served_, outcome);
  if (!waiting_.empty()) begin();
}

}  // namespace hotkeyd
