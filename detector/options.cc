#include "detector/options.h"

namespace hotkeyd {

RuleOptions default_rule() {
  RuleOptions rule;
  rule.name = "default";
  rule.promote.rate = 1000;
  rule.promote.writes = 1000;
  return rule;
}

}  // namespace hotkeyd
