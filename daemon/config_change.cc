#include "daemon/config_change.h"

#include <utility>

#include "base/log.h"

namespace hotkeyd {
namespace {

// The new HTTP address, if there is one.
Result<void> open_http(ConfigChange& change, ControlParts& control) {
  if (!change.diff.applies("http")) return {};
  auto opened = control.http.open(change.diff.in_force.http.listen);
  if (!opened) return Error{opened.error()};
  if (*opened) change.opened.push_back(http_url(**opened));
  change.http = std::move(*opened);
  return {};
}

Result<void> open_listeners(ConfigChange& change, const Config& running, DataParts& data) {
  if (!change.diff.applies("listen")) return {};
  auto opened = ListenChange::open(data.io, running.server.listen, change.diff.in_force.server.listen);
  if (!opened) return Error{opened.error()};
  for (std::string& address : opened->opened_addresses()) change.opened.push_back(std::move(address));
  change.listeners = std::move(*opened);
  return {};
}

}  // namespace

// Listeners are the last that can fail: they also change files that stay.
Result<ConfigChange> open_change(const Config& running, ConfigDiff diff, DataParts& data,
                                 ControlParts& control) {
  ConfigChange change;
  change.diff = std::move(diff);
  if (auto opened = open_http(change, control); !opened) return Error{opened.error()};
  if (auto opened = open_listeners(change, running, data); !opened) return Error{opened.error()};
  change.publishers = control.publishers.prepare(change.diff.in_force.publishers, change.diff.in_force.lease);
  return change;
}

void apply_to_data(ConfigChange& change, DataParts& data, Now now) {
  const Config& in_force = change.diff.in_force;
  if (change.diff.applies("listen")) data.server.change_listeners(std::move(change.listeners));
  data.server.set_lease(in_force.lease);
  data.state.set_lease(in_force.lease);
  data.routes.change(change.publishers.routes, data.server.namespaces());
  data.shown = std::make_shared<const Config>(in_force);
  if (!change.diff.applies("rules")) return;
  Decisions decisions;
  data.detector.set_rules(in_force.detector.rules, now, decisions);
  data.server.tell(std::move(decisions));
  data.server.tell_rules_changed();
}

void apply_to_control(ConfigChange& change, ControlParts& control) {
  const Config& in_force = change.diff.in_force;
  if (change.diff.applies("http")) control.http.change_listener(in_force.http.listen, std::move(change.http));
  control.publishers.commit(std::move(change.publishers), in_force.drain);
  set_log_format(in_force.log_format);
  set_log_level(in_force.log_level);
}

}  // namespace hotkeyd
