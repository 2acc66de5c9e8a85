#include "daemon/state_start.h"

#include <algorithm>
#include <utility>

namespace hotkeyd {
namespace {

std::string refusal(const StateHeader& header, std::string_view node, UnixMs now_ms) {
  if (header.node != node) return "it is of node " + header.node;
  if (header.hot_at_ms > now_ms) return "it is dated in the future: the clock was set back";
  if (now_ms - header.hot_at_ms >= header.lease_ms) return "it is older than its lease";
  return {};
}

}  // namespace

StateStart plan_start(std::optional<StoredState> left, std::string_view node, UnixMs now_ms) {
  StateStart start;
  start.epoch = static_cast<std::uint64_t>(std::max<UnixMs>(now_ms, 1));
  start.hot_at_ms = now_ms;
  if (!left) return start;
  start.epoch = std::max(start.epoch, left->header.epoch + 1);
  start.orders = std::move(left->orders);
  if (left->hot.empty()) return start;
  start.hot_refused = refusal(left->header, node, now_ms);
  if (!start.hot_refused.empty()) return start;
  start.hot = std::move(left->hot);
  start.hot_at_ms = left->header.hot_at_ms;
  return start;
}

}  // namespace hotkeyd
