#include "kafka/link.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

constexpr Duration kStalledAfter = 5s;
constexpr std::size_t kReasonMax = 300;

std::string in_seconds(Duration duration) {
  return std::to_string(std::max<std::int64_t>(0, to_ms(duration) + 999) / 1000) + " s";
}

bool is_stalled(std::optional<Time> oldest, Time now) { return oldest && now - *oldest > kStalledAfter; }

}  // namespace

KafkaLink::KafkaLink(std::uint64_t seed) : retry_(500ms, 10s, seed) {}

bool KafkaLink::connect() { return !std::exchange(is_connected_, true); }

bool KafkaLink::reached(bool is_connected) {
  if (is_connected) return connect();
  if (std::exchange(is_connected_, false)) trouble_ = "the connection is lost";
  return false;
}

bool KafkaLink::accepted() {
  refusal_.clear();
  pause_until_ = Time::min();
  retry_.reset();
  return connect();
}

void KafkaLink::troubled(const std::string& reason) { trouble_ = redis_escape(reason, kReasonMax); }

void KafkaLink::cut_off() { is_connected_ = false; }

void KafkaLink::refused(const std::string& reason, Time now) {
  refusal_ = redis_escape(reason, kReasonMax);
  if (may_send(now)) pause_until_ = now + retry_.next();
}

bool KafkaLink::flows(std::optional<Time> oldest, Time now) const {
  return is_connected_ && refusal_.empty() && !is_stalled(oldest, now);
}

std::string KafkaLink::state(std::optional<Time> oldest, Time now) const {
  if (!is_connected_) return trouble_ + (trouble_ == "connecting" ? "" : "; connecting again");
  if (!refusal_.empty()) return refusal_ + "; next try in " + in_seconds(pause_until_ - now);
  if (is_stalled(oldest, now))
    return "connected, but nothing is acknowledged for " + in_seconds(now - *oldest);
  return "connected";
}

}  // namespace hotkeyd
