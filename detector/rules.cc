#include "detector/rules.h"

#include <re2/re2.h>

#include <algorithm>

#include "base/glob.h"

namespace hotkeyd {
namespace {

constexpr std::int64_t kRegexMemoryMax = 1 << 20;  // RE2 falls back to its slower automaton beyond it.

RE2::Options regex_options() {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);
  options.set_log_errors(false);
  options.set_never_capture(true);
  options.set_max_mem(kRegexMemoryMax);
  return options;
}

RuleOptions with_defaults(RuleOptions options, Duration base_window) {
  if (options.window == Duration::zero()) options.window = base_window;
  if (!options.promote.writes) options.promote.writes = options.promote.rate;
  return options;
}

}  // namespace

Result<void> validate_pattern(const RuleOptions& rule) {
  if (rule.match_kind != MatchKind::regex) return {};
  const RE2 regex(rule.pattern, regex_options());
  if (regex.ok()) return {};
  return Error{regex.error()};
}

Rule::Rule(const RuleOptions& options, Duration base_window)
    : options_(with_defaults(options, base_window)), thresholds_(thresholds_of(options_, options_.window)) {
  if (thresholds_.rate) options_.demote.rate = thresholds_.rate->out / seconds(options_.window);
  if (options_.match_kind == MatchKind::regex) {
    regex_ = std::make_unique<const re2::RE2>(options_.pattern, regex_options());
  }
}

Rule::~Rule() = default;

bool Rule::matches(std::string_view key) const {
  switch (options_.match_kind) {
    case MatchKind::exact:
      return key == options_.pattern;
    case MatchKind::glob:
      return glob_matches(options_.pattern, key);
    case MatchKind::regex:
      return regex_->ok() && RE2::PartialMatch(key, *regex_);
  }
  return false;
}

RuleBook::RuleBook(std::span<const RuleOptions> rules, Duration base_window) {
  for (const RuleOptions& options : rules)
    rules_.push_back(std::make_unique<const Rule>(options, base_window));
}

RuleList RuleBook::applying_to(std::string_view ns) const {
  RuleList list;
  for (const auto& rule : rules_) {
    if (rule->applies_to(ns)) list.push_back(rule.get());
  }
  return list;
}

const Rule* first_match(const RuleList& rules, std::string_view key) {
  const auto found = std::ranges::find_if(rules, [key](const Rule* rule) { return rule->matches(key); });
  return found == rules.end() ? nullptr : *found;
}

std::optional<std::uint64_t> smallest_threshold(const RuleList& rules, Duration window) {
  std::optional<std::uint64_t> smallest;
  for (const Rule* rule : rules) {
    const std::uint64_t own = rule->thresholds().smallest();
    if (rule->window() == window && own > 0) smallest = std::min(own, smallest.value_or(own));
  }
  return smallest;
}

std::uint64_t smallest_threshold(const RuleList& rules) {
  std::uint64_t smallest = 0;
  for (const Rule* rule : rules) {
    const std::uint64_t own = rule->thresholds().smallest();
    if (own > 0 && (smallest == 0 || own < smallest)) smallest = own;
  }
  return smallest;
}

}  // namespace hotkeyd
