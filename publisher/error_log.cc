#include "publisher/error_log.h"

#include <utility>

namespace hotkeyd {
namespace {

constexpr Duration kPeriod = std::chrono::seconds{10};
constexpr std::size_t kKindsMax = 32;
constexpr std::string_view kOther = "other";

}  // namespace

std::optional<ErrorLine> ErrorLog::admit(std::string_view kind, ErrorLine line, Time now) {
  if (!limiters_.contains(kind) && limiters_.size() >= kKindsMax) kind = kOther;
  LogLimiter& limiter = limiters_.try_emplace(std::string(kind), kPeriod).first->second;
  if (!limiter.allow(now)) return std::nullopt;
  line.held_back = limiter.held_back();
  return line;
}

}  // namespace hotkeyd
