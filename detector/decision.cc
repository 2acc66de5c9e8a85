#include "detector/decision.h"

namespace hotkeyd {

std::string_view to_string(DecisionKind kind) {
  switch (kind) {
    case DecisionKind::promoted:
      return "promoted";
    case DecisionKind::updated:
      return "updated";
    case DecisionKind::demoted:
      return "demoted";
  }
  return {};
}

std::string_view to_string(Reason reason) {
  switch (reason) {
    case Reason::rate:
      return "rate";
    case Reason::writes:
      return "writes";
    case Reason::misses:
      return "misses";
    case Reason::share:
      return "share";
    case Reason::pinned:
      return "pinned";
    case Reason::level:
      return "level";
    case Reason::key_class:
      return "class";
    case Reason::rule_changed:
      return "rule_changed";
    case Reason::unpinned:
      return "unpinned";
    case Reason::hot_pool:
      return "hot_pool";
    case Reason::cooled:
      return "cooled";
    case Reason::denied:
      return "denied";
    case Reason::rule_removed:
      return "rule_removed";
    case Reason::evicted:
      return "evicted";
    case Reason::disabled:
      return "disabled";
  }
  return {};
}

std::string_view to_string(KeyClass key_class) {
  switch (key_class) {
    case KeyClass::read:
      return "read";
    case KeyClass::miss:
      return "miss";
    case KeyClass::mixed:
      return "mixed";
    case KeyClass::write:
      return "write";
  }
  return {};
}

std::string_view to_string(Level level) {
  switch (level) {
    case Level::hot:
      return "hot";
    case Level::hot_pool:
      return "hot_pool";
    case Level::split:
      return "split";
    case Level::alert:
      return "alert";
  }
  return {};
}

std::string_view to_string(Standing standing) {
  switch (standing) {
    case Standing::cold:
      return "cold";
    case Standing::warm:
      return "warm";
    case Standing::hot:
      return "hot";
    case Standing::pinned:
      return "pinned";
    case Standing::denied:
      return "denied";
  }
  return {};
}

}  // namespace hotkeyd
