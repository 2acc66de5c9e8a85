#include "detector/coolest_queue.h"

#include <algorithm>

namespace hotkeyd {

CoolestQueue::CoolestQueue(const CandidateStore& store)
    : store_(store), size_max_(std::max<std::size_t>(store.capacity() / 8, 1)) {
  scratch_.reserve(store.capacity());
  queue_.reserve(size_max_);
}

std::optional<CandidateId> CoolestQueue::front() {
  while (!queue_.empty() && !still_cool(queue_.back())) queue_.pop_back();
  if (queue_.empty()) pick();
  if (queue_.empty()) return std::nullopt;
  return queue_.back().id;
}

bool CoolestQueue::still_cool(const Entry& entry) const {
  const Upkeep& upkeep = store_.upkeep(entry.id);
  const Record& record = store_.record(entry.id);
  return upkeep.alive && !upkeep.kept && record.hash == entry.hash && record.count <= count_max_;
}

void CoolestQueue::pick() {
  if (none_left_) return;
  scratch_.clear();
  for (const CandidateId id : store_.living()) {
    if (!store_.upkeep(id).kept) scratch_.push_back({store_.record(id).count, id, store_.record(id).hash});
  }
  const auto cooler = [](const Entry& a, const Entry& b) { return a.count < b.count; };
  const auto end = scratch_.begin() + static_cast<std::ptrdiff_t>(std::min(size_max_, scratch_.size()));
  std::partial_sort(scratch_.begin(), end, scratch_.end(), cooler);
  queue_.assign(std::make_reverse_iterator(end), scratch_.rend());
  none_left_ = queue_.empty();
  if (!queue_.empty()) count_max_ = queue_.front().count;
}

}  // namespace hotkeyd
