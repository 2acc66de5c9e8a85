#include "config/pattern.h"

#include <string>

#include "base/text.h"
#include "detector/rules.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kPatternMax = 4096;
constexpr std::size_t kExactMax = 65'536;

}  // namespace

Result<void> check_pattern(MatchKind kind, std::string_view pattern) {
  if (pattern.empty()) return Error{"must not be empty"};
  if (kind == MatchKind::exact) {
    return pattern.size() <= kExactMax ? Result<void>{} : Error{"no key is longer than 65536 bytes"};
  }
  if (pattern.size() > kPatternMax) return Error{"a pattern is at most 4096 bytes"};
  if (kind == MatchKind::glob) return {};
  RuleOptions rule;
  rule.match_kind = kind;
  rule.pattern = std::string(pattern);
  const auto verdict = validate_pattern(rule);
  if (verdict) return {};
  return Error{"RE2 refuses this regular expression: " + redis_escape(verdict.error(), 256)};
}

}  // namespace hotkeyd
