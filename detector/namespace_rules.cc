#include <algorithm>
#include <bit>
#include <utility>

#include "detector/namespace.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kBucketBytes = 448;
constexpr std::size_t kBucketsMin = 16;

// Of a window that no rule uses: it still serves TOP, GET and HIT.
std::uint64_t usual_threshold(Duration window) { return threshold(*default_rule().promote.rate, window); }

std::uint32_t candidate_min(const RuleList& rules, Duration window) {
  const std::uint64_t smallest = smallest_threshold(rules, window).value_or(usual_threshold(window));
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(smallest / 4, 1, UINT32_MAX - 1));
}

}  // namespace

Window& Namespace::window_of(const Rule* rule) {
  for (const auto& window : windows_) {
    if (rule && window->length() == rule->window()) return *window;
  }
  return *windows_.front();
}

std::vector<Duration> Namespace::window_lengths() const {
  std::vector<Duration> lengths{options_.window};
  for (const Rule* rule : rules_) {
    if (std::ranges::find(lengths, rule->window()) == lengths.end()) lengths.push_back(rule->window());
  }
  return lengths;
}

CounterOptions Namespace::counter_options(Duration length, std::size_t windows) const {
  CounterOptions options;
  const std::size_t buckets = std::max(options_.memory_per_namespace / kBucketBytes, kBucketsMin);
  options.buckets = static_cast<std::uint32_t>(std::bit_floor(buckets));
  options.slots = options_.slots;
  options.candidate_min = candidate_min(rules_, length);
  options.candidates_max = 2 * options_.hot_keys_max;
  options.names_max = options_.names_max / windows;
  options.top_k = options_.top_k;
  options.admission = options_.admission;
  options.seed = options_.seed + id_;
  return options;
}

std::vector<std::unique_ptr<Window>> Namespace::build_windows(std::vector<std::unique_ptr<Window>>& kept) {
  std::vector<std::unique_ptr<Window>> built;
  const std::vector<Duration> lengths = window_lengths();
  for (const Duration length : lengths) {
    const auto found =
        std::ranges::find_if(kept, [&](const auto& old) { return old && old->length() == length; });
    if (found != kept.end()) {
      built.push_back(std::move(*found));
      built.back()->counter().set_candidate_min(candidate_min(rules_, length));
      continue;
    }
    built.push_back(std::make_unique<Window>(length, options_.slots, start_, now_.steady,
                                             counter_options(length, lengths.size()), *this));
  }
  return built;
}

void Namespace::set_rules(RuleList rules, Now now, Decisions& out) {
  enter(now, out);
  rules_ = std::move(rules);
  std::vector<std::unique_ptr<Window>> gone = std::move(windows_);
  windows_ = build_windows(gone);
  for (const auto& window : windows_) match_anew(*window);
  for (auto next = hot_.begin(); next != hot_.end();) match_hot_anew((next++)->second);
  for (const auto& window : windows_) {
    for (const CandidateId id : window->counter().candidates()) {
      if (!window->state(id).hot) rearm(*window, id);
    }
  }
}

void Namespace::match_anew(Window& window) {
  for (const CandidateId id : window.counter().candidates()) {
    const Rule* rule = first_match(rules_, window.counter().key(id));
    window.state(id).rule = rule && rule->window() == window.length() ? rule : nullptr;
    window.state(id).is_waiting = false;
  }
}

void Namespace::match_hot_anew(HotRecord& record) {
  const Rule* rule = first_match(rules_, record.shown.key);
  Window& target = window_of(rule);
  record.rule = nullptr;
  if (&target != record.window) move_hot(record, target);
  if (!rule && !record.is_pinned) return demote(record, Reason::rule_removed);
  const std::optional<std::string> name = rule ? std::optional(rule->options().name) : std::nullopt;
  const Actions before = record.shown.actions;
  const bool is_other = name != record.shown.rule;
  record.shown.rule = name;
  record.follow(rule, view_of(record).sums);
  record.by_rate = record.by_rate && rule;
  if (record.candidate) {
    target.counter().keep(*record.candidate, record.by_rate);
    target.counter().set_triggers(*record.candidate, triggers_of(target, *record.candidate));
  }
  if (is_other || record.shown.actions != before) update(record, Reason::rule_changed);
}

void Namespace::move_hot(HotRecord& record, Window& target) {
  if (record.candidate) {
    record.window->state(*record.candidate).hot = nullptr;
    record.window->counter().keep(*record.candidate, false);
    record.candidate.reset();
  }
  record.window = &target;
  record.shown.window_ms = to_ms(target.length());
  record.reset_holds();
  const std::uint64_t hash = hash_(record.shown.key);
  std::optional<CandidateId> id = target.counter().find(hash, record.shown.key);
  if (!id) id = target.counter().ensure(hash, record.shown.key, target.slot());
  if (id && !record.candidate) attach(record, target, *id);
}

}  // namespace hotkeyd
