// Rules, compiled: which one a key falls under, and what it asks.
//
// The first rule in file order that applies to the namespace and matches the key decides. Keys are hostile
// bytes of up to 64 KiB: globs are matched iteratively, regular expressions by RE2 (linear time, bounded
// memory) on bytes, unanchored unless written so. Matched once per candidate, never per access. Immutable
// once built.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "detector/options.h"
#include "detector/thresholds.h"

namespace re2 {
class RE2;
}

namespace hotkeyd {

// Whether the rule's pattern can be compiled; the error is RE2's, without a path.
Result<void> validate_pattern(const RuleOptions& rule);

class Rule {
 public:
  // A pattern that `validate_pattern` refuses matches nothing.
  Rule(const RuleOptions& options, Duration base_window);
  ~Rule();
  Rule(const Rule&) = delete;
  Rule& operator=(const Rule&) = delete;

  bool matches(std::string_view key) const;
  bool applies_to(std::string_view ns) const { return !options_.ns || *options_.ns == ns; }

  // With window, writes and demote.rate filled in.
  const RuleOptions& options() const { return options_; }
  const Thresholds& thresholds() const { return thresholds_; }
  Duration window() const { return options_.window; }

 private:
  RuleOptions options_;
  Thresholds thresholds_;
  std::unique_ptr<const re2::RE2> regex_;
};

// The rules of one namespace, in file order.
using RuleList = std::vector<const Rule*>;

// Every rule of the configuration; owns what the lists point to.
class RuleBook {
 public:
  RuleBook(std::span<const RuleOptions> rules, Duration base_window);

  RuleList applying_to(std::string_view ns) const;

 private:
  std::vector<std::unique_ptr<const Rule>> rules_;
};

// The first that matches, or none.
const Rule* first_match(const RuleList& rules, std::string_view key);
// The smallest count with which a rule of this window promotes; nullopt where none can.
std::optional<std::uint64_t> smallest_threshold(const RuleList& rules, Duration window);
// The same over all windows; 0 without rules.
std::uint64_t smallest_threshold(const RuleList& rules);

}  // namespace hotkeyd
