#include <algorithm>
#include <utility>

#include "detector/namespace.h"

namespace hotkeyd {

SavedNamespaceOrders Namespace::save_orders() const {
  return {name_, own_switch_, pins_.save(), denials_.save()};
}

SavedHotSet Namespace::save_hot_set() const {
  SavedHotSet saved{name_, {}};
  saved.keys.reserve(hot_.size());
  for (const auto& [key, record] : hot_) {
    const Episode* episode = episodes_.find(record.episode);
    saved.keys.push_back(record.save(episode ? episode->reason : record.shown.reason,
                                     episode ? episode->peak_rate : record.shown.figures.rate));
  }
  return saved;
}

std::uint64_t Namespace::decisions() const { return decisions_[0] + decisions_[1] + decisions_[2]; }

void Namespace::restore_orders(const SavedNamespaceOrders& saved, Now now, Restored& count) {
  own_switch_ = saved.disabled;
  own_switch_.expire(now.unix_ms);
  if (own_switch_.is_on) ++count.orders;
  if (saved.disabled.is_on && !own_switch_.is_on) ++count.orders_ended;
  pins_.restore(saved.pins, now.unix_ms, count);
  denials_.restore(saved.denials, now.unix_ms, count);
  pins_wait_ = true;
}

// The hottest come first where there is room for fewer; the log of episodes is by their starts.
void Namespace::restore_hot_set(const SavedHotSet& saved, Now now, Restored& count) {
  now_ = now;
  std::vector<const SavedHotKey*> keys;
  for (const SavedHotKey& key : saved.keys) keys.push_back(&key);
  std::ranges::stable_sort(keys, std::ranges::greater{}, &SavedHotKey::rate);
  std::vector<const SavedHotKey*> taken;
  for (const SavedHotKey* key : keys) {
    if (resume(*key)) taken.push_back(key);
  }
  std::ranges::stable_sort(taken, std::ranges::less{}, &SavedHotKey::detected_at_ms);
  for (const SavedHotKey* key : taken) resume_episode(*key);
  count.hot_keys += taken.size();
  count.hot_keys_dropped += keys.size() - taken.size();
}

// Without an event: the first snapshot of the new epoch holds the key.
bool Namespace::resume(const SavedHotKey& saved) {
  const Rule* rule = first_match(rules_, saved.key);
  const bool is_pinned = pins_.contains(saved.key);
  const bool by_rate = saved.by_rate && rule;
  if (is_blocked(saved.key) || (!is_pinned && !by_rate)) return false;
  if (!is_pinned && unpinned_ >= options_.hot_keys_max) return false;
  const auto [place, is_new] = hot_.try_emplace(saved.key);
  if (!is_new) return false;
  HotRecord& record = place->second;
  record.rule = rule;
  record.window = &window_of(rule);
  record.is_pinned = is_pinned;
  record.by_rate = by_rate;
  record.shown.window_ms = to_ms(record.window->length());
  record.resume(saved, now_.unix_ms);
  if (!is_pinned) ++unpinned_;
  return true;
}

void Namespace::resume_episode(const SavedHotKey& saved) {
  HotRecord& record = hot_.find(saved.key)->second;
  const HotKey& shown = record.shown;
  record.episode = episodes_.start({shown.key, shown.rule, shown.key_class, saved.promoted_by,
                                    shown.detected_at_ms, std::nullopt, saved.peak_rate});
}

}  // namespace hotkeyd
