#include <utility>

#include "detector/namespace.h"

namespace hotkeyd {

void Namespace::end_orders() {
  std::vector<std::string> ended = pins_.end_expired(now_.unix_ms);
  for (std::string& key : denials_.end_expired(now_.unix_ms)) ended.push_back(std::move(key));
  const bool was_disabled = is_disabled();
  own_switch_.expire(now_.unix_ms);
  if (std::exchange(pins_wait_, false)) {
    for (const std::string& key : pins_.keys()) apply_orders(key);
  }
  for (const std::string& key : ended) apply_orders(key);
  if (was_disabled != is_disabled()) apply_switch();
}

Result<void> Namespace::pin(std::string_view key, std::optional<UnixMs> ends_ms, Now now, Decisions& out) {
  enter(now, out);
  if (auto given = pins_.give(key, ends_ms, now.unix_ms); !given) return given;
  apply_orders(key);
  return {};
}

void Namespace::unpin(std::string_view key, Now now, Decisions& out) {
  enter(now, out);
  pins_.take_back(key);
  apply_orders(key);
}

Result<void> Namespace::deny(std::string_view key, std::optional<UnixMs> ends_ms, Now now, Decisions& out) {
  enter(now, out);
  if (auto given = denials_.give(key, ends_ms, now.unix_ms); !given) return given;
  apply_orders(key);
  return {};
}

void Namespace::allow(std::string_view key, Now now, Decisions& out) {
  enter(now, out);
  denials_.take_back(key);
  apply_orders(key);
}

void Namespace::disable(std::optional<UnixMs> ends_ms, Now now, Decisions& out) {
  enter(now, out);
  own_switch_ = {true, ends_ms};
  apply_switch();
}

void Namespace::enable(Now now, Decisions& out) {
  enter(now, out);
  own_switch_ = {};
  apply_switch();
}

void Namespace::set_all_disabled(bool is_disabled, Now now, Decisions& out) {
  all_disabled_ = is_disabled;
  enter(now, out);
  apply_switch();
}

void Namespace::apply_switch() {
  if (!is_disabled()) {
    for (const std::string& key : pins_.keys()) apply_orders(key);
    return;
  }
  while (!hot_.empty()) demote(hot_.begin()->second, Reason::disabled);
}

void Namespace::apply_orders(std::string_view key) {
  const auto hot = hot_.find(key);
  const bool is_hot = hot != hot_.end();
  if (is_blocked(key)) {
    if (is_hot) demote(hot->second, Reason::denied);
    return;
  }
  const bool is_pinned = pins_.contains(key);
  if (!is_hot && is_pinned) promote_pinned(key);
  if (is_hot && is_pinned && !hot->second.is_pinned) begin_pin(hot->second);
  if (is_hot && !is_pinned && hot->second.is_pinned) end_pin(hot->second);
}

void Namespace::promote_pinned(std::string_view key) {
  const Rule* rule = first_match(rules_, key);
  Window& window = window_of(rule);
  const std::uint64_t hash = hash_(key);
  std::optional<CandidateId> id = window.counter().find(hash, key);
  if (!id && window.counter().count(hash, window.slot()) > 0)
    id = window.counter().ensure(hash, key, window.slot());
  promote(window, id, key, rule, Reason::pinned);
  if (id) window.counter().set_triggers(*id, triggers_of(window, *id));
}

void Namespace::begin_pin(HotRecord& record) {
  record.is_pinned = true;
  record.hot_since_ms = now_.unix_ms;
  --unpinned_;
  coolness_is_built_ = false;
  update(record, Reason::pinned);
}

// The key goes on by its rate, where it has one and the hot set has room for it.
void Namespace::end_pin(HotRecord& record) {
  const WindowView view = view_of(record);
  const double rate = static_cast<double>(view.sums.count) / seconds(view.scale.length);
  if (!record.by_rate || !make_room(rate, false)) return demote(record, Reason::unpinned);
  record.is_pinned = false;
  record.hot_since_ms = now_.unix_ms;
  ++unpinned_;
  coolness_is_built_ = false;
  update(record, Reason::unpinned);
}

}  // namespace hotkeyd
