// Lets each kind of error be logged at most once per period, and says how many were held back.
//
// Kinds are words of a server ("READONLY") or of ours ("connection"): since a server may invent words, at
// most `kinds_max` have a limiter of their own; the rest share one. Pure; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/log.h"

namespace hotkeyd {

// One line of the log, as a value.
struct ErrorLine {
  std::string event;   // "redis_refused"
  std::string ns;      // Empty when it concerns all.
  std::string reason;  // What the server or the system said.
  std::uint64_t held_back = 0;
  bool operator==(const ErrorLine&) const = default;
};

class ErrorLog {
 public:
  // The line, when it may be written now.
  std::optional<ErrorLine> admit(std::string_view kind, ErrorLine line, Time now);

 private:
  std::map<std::string, LogLimiter, std::less<>> limiters_;
};

}  // namespace hotkeyd
