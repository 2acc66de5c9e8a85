#include "detector/detector.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/text.h"
#include "detector/namespace.h"
#include "detector/rules.h"

namespace hotkeyd {

class Detector::Impl {
 public:
  Impl(const DetectorOptions& options, Now start)
      : options_(options), start_(start), now_(start), rules_(make_rules(options.rules)) {
    options_.rules.clear();
  }

  Result<NamespaceId> open(std::string_view name);
  std::optional<NamespaceId> find(std::string_view name) const {
    const auto found = ids_.find(name);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
  }

  // Every call that may decide passes here: the kill switch of all namespaces ends by itself.
  Namespace& at(NamespaceId ns, Now now, Decisions& out) {
    enter(now, out);
    return *namespaces_[ns];
  }
  Namespace& at(NamespaceId ns) { return *namespaces_[ns]; }
  const Namespace& at(NamespaceId ns) const { return *namespaces_[ns]; }
  std::size_t size() const { return namespaces_.size(); }

  void enter(Now now, Decisions& out) {
    now_ = now;
    const bool was_on = all_switch_.is_on;
    all_switch_.expire(now.unix_ms);
    if (was_on && !all_switch_.is_on) apply_switch(now, out);
  }
  void switch_all(KillSwitch all, Now now, Decisions& out) {
    all_switch_ = all;
    apply_switch(now, out);
  }
  void enable_all(Now now, Decisions& out) {
    for (const auto& space : namespaces_) space->enable(now, out);
    switch_all({}, now, out);
  }

  void tick(Now now, Decisions& out) {
    enter(now, out);
    for (const auto& space : namespaces_) space->tick(now, out);
  }
  Duration until_tick(Time now) const;
  void set_rules(const std::vector<RuleOptions>& rules, Now now, Decisions& out);
  RulesView view_rules(std::string_view ns) const;
  SavedOrders save_orders() const;
  SavedHotSets save_hot_sets() const;
  Restored restore(const SavedOrders& orders, const SavedHotSets& hot, Now now);
  std::uint64_t decisions() const;

 private:
  std::unique_ptr<RuleBook> make_rules(std::span<const RuleOptions> rules) const {
    return std::make_unique<RuleBook>(rules, options_.window);
  }
  Result<void> check_name(std::string_view name) const;
  void apply_switch(Now now, Decisions& out) {
    for (const auto& space : namespaces_) space->set_all_disabled(all_switch_.is_on, now, out);
  }

  DetectorOptions options_;  // Without the rules.
  Now start_;
  Now now_;  // Of the latest call: when a namespace appears.
  std::unique_ptr<RuleBook> rules_;
  KillSwitch all_switch_;
  std::vector<std::unique_ptr<Namespace>> namespaces_;
  std::map<std::string, NamespaceId, std::less<>> ids_;
};

Result<void> Detector::Impl::check_name(std::string_view name) const {
  if (!is_valid_name(name)) {
    return Error{
        fmt::format("namespace \"{}\" is not 1 to 128 of A-Z a-z 0-9 _ . -", redis_escape(name, 128))};
  }
  const bool is_fixed = !options_.namespaces.empty();
  if (is_fixed && std::ranges::find(options_.namespaces, name) == options_.namespaces.end()) {
    return Error{fmt::format("namespace \"{}\" is not in the configuration", name)};
  }
  if (!is_fixed && namespaces_.size() >= options_.namespaces_max) {
    return Error{fmt::format("namespace limit ({}) reached", options_.namespaces_max)};
  }
  return {};
}

Result<NamespaceId> Detector::Impl::open(std::string_view name) {
  if (const auto known = find(name)) return *known;
  if (auto allowed = check_name(name); !allowed) return Error{allowed.error()};
  const auto id = static_cast<NamespaceId>(namespaces_.size());
  namespaces_.push_back(std::make_unique<Namespace>(
      id, std::string(name), options_, rules_->applying_to(name), start_.steady, now_, all_switch_.is_on));
  ids_.emplace(name, id);
  return id;
}

Duration Detector::Impl::until_tick(Time now) const {
  const Duration slot = std::max(Duration{1}, options_.window / options_.slots);
  const Duration passed = std::max(Duration::zero(), now - start_.steady);
  Time next = start_.steady + slot * (passed / slot + 1);
  for (const auto& space : namespaces_) next = std::min(next, space->next_edge(now));
  return next - now;
}

void Detector::Impl::set_rules(const std::vector<RuleOptions>& rules, Now now, Decisions& out) {
  enter(now, out);
  const auto old = std::exchange(rules_, make_rules(rules));
  for (const auto& space : namespaces_) space->set_rules(rules_->applying_to(space->name()), now, out);
}

RulesView Detector::Impl::view_rules(std::string_view ns) const {
  RulesView view;
  const RuleList rules = rules_->applying_to(ns);
  for (const Rule* rule : rules) view.rules.push_back({rule->options(), rule->thresholds().smallest()});
  view.smallest_threshold = smallest_threshold(rules);
  return view;
}

SavedOrders Detector::Impl::save_orders() const {
  SavedOrders saved{all_switch_, {}};
  for (const auto& space : namespaces_) {
    SavedNamespaceOrders orders = space->save_orders();
    if (orders.disabled.is_on || !orders.pins.empty() || !orders.denials.empty())
      saved.namespaces.push_back(std::move(orders));
  }
  return saved;
}

SavedHotSets Detector::Impl::save_hot_sets() const {
  SavedHotSets saved;
  for (const auto& space : namespaces_) {
    SavedHotSet hot = space->save_hot_set();
    if (!hot.keys.empty()) saved.push_back(std::move(hot));
  }
  return saved;
}

Restored Detector::Impl::restore(const SavedOrders& orders, const SavedHotSets& hot, Now now) {
  Restored count;
  now_ = now;
  all_switch_ = orders.all_disabled;
  all_switch_.expire(now.unix_ms);
  if (orders.all_disabled.is_on) ++(all_switch_.is_on ? count.orders : count.orders_ended);
  for (const SavedNamespaceOrders& saved : orders.namespaces) {
    if (const auto ns = open(saved.ns)) {
      namespaces_[*ns]->restore_orders(saved, now, count);
    } else {
      count.orders_refused += saved.pins.size() + saved.denials.size() + (saved.disabled.is_on ? 1 : 0);
    }
  }
  for (const SavedHotSet& saved : hot) {
    if (const auto ns = open(saved.ns)) {
      namespaces_[*ns]->restore_hot_set(saved, now, count);
    } else {
      count.hot_keys_dropped += saved.keys.size();
    }
  }
  return count;
}

std::uint64_t Detector::Impl::decisions() const {
  std::uint64_t sum = 0;
  for (const auto& space : namespaces_) sum += space->decisions();
  return sum;
}

Detector::Detector(const DetectorOptions& options, Now start)
    : impl_(std::make_unique<Impl>(options, start)) {}
Detector::~Detector() = default;

Result<NamespaceId> Detector::open(std::string_view ns) { return impl_->open(ns); }
std::optional<NamespaceId> Detector::find(std::string_view ns) const { return impl_->find(ns); }
std::size_t Detector::namespaces() const { return impl_->size(); }
std::string_view Detector::name(NamespaceId ns) const { return std::as_const(*impl_).at(ns).name(); }

void Detector::observe(NamespaceId ns, std::span<const Access> accesses, const BatchInfo& info, Now now,
                       Decisions& out) {
  impl_->at(ns, now, out).observe(accesses, info, now, out);
}

std::uint64_t Detector::hit(NamespaceId ns, const Access& access, Now now, Decisions& out) {
  return impl_->at(ns, now, out).hit(access, now, out);
}

void Detector::tick(Now now, Decisions& out) { impl_->tick(now, out); }
Duration Detector::until_tick(Time now) const { return impl_->until_tick(now); }

Result<void> Detector::pin(NamespaceId ns, std::string_view key, std::optional<UnixMs> ends_ms, Now now,
                           Decisions& out) {
  return impl_->at(ns, now, out).pin(key, ends_ms, now, out);
}

void Detector::unpin(NamespaceId ns, std::string_view key, Now now, Decisions& out) {
  impl_->at(ns, now, out).unpin(key, now, out);
}

Result<void> Detector::deny(NamespaceId ns, std::string_view key, std::optional<UnixMs> ends_ms, Now now,
                            Decisions& out) {
  return impl_->at(ns, now, out).deny(key, ends_ms, now, out);
}

void Detector::allow(NamespaceId ns, std::string_view key, Now now, Decisions& out) {
  impl_->at(ns, now, out).allow(key, now, out);
}

void Detector::disable(NamespaceId ns, std::optional<UnixMs> ends_ms, Now now, Decisions& out) {
  impl_->at(ns, now, out).disable(ends_ms, now, out);
}

void Detector::disable_all(std::optional<UnixMs> ends_ms, Now now, Decisions& out) {
  impl_->enter(now, out);
  impl_->switch_all({true, ends_ms}, now, out);
}

void Detector::enable(NamespaceId ns, Now now, Decisions& out) { impl_->at(ns, now, out).enable(now, out); }

void Detector::enable_all(Now now, Decisions& out) {
  impl_->enter(now, out);
  impl_->enable_all(now, out);
}

void Detector::set_rules(const std::vector<RuleOptions>& rules, Now now, Decisions& out) {
  impl_->set_rules(rules, now, out);
}

SavedOrders Detector::save_orders() const { return impl_->save_orders(); }
SavedHotSets Detector::save_hot_sets() const { return impl_->save_hot_sets(); }
Restored Detector::restore(const SavedOrders& orders, const SavedHotSets& hot, Now now) {
  return impl_->restore(orders, hot, now);
}
std::uint64_t Detector::decisions() const { return impl_->decisions(); }

std::uint64_t Detector::last_seq(NamespaceId ns) const { return std::as_const(*impl_).at(ns).last_seq(); }
std::uint64_t Detector::take_seq(NamespaceId ns) { return impl_->at(ns).take_seq(); }

std::vector<const HotKey*> Detector::hot_keys(NamespaceId ns) const {
  return std::as_const(*impl_).at(ns).hot_keys();
}
std::vector<TopRow> Detector::top(NamespaceId ns, std::size_t n, Now) { return impl_->at(ns).top(n); }

std::optional<Explanation> Detector::explain(NamespaceId ns, std::string_view key, Now now) {
  return impl_->at(ns).explain(key, now);
}

std::vector<Episode> Detector::episodes(NamespaceId ns, std::size_t n) const {
  return std::as_const(*impl_).at(ns).episodes(n);
}

RulesView Detector::rules(std::string_view ns) const { return impl_->view_rules(ns); }
NamespaceStats Detector::stats(NamespaceId ns) const { return std::as_const(*impl_).at(ns).stats(); }

}  // namespace hotkeyd
