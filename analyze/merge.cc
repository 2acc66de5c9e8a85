#include "analyze/merge.h"

#include <algorithm>
#include <tuple>

namespace hotkeyd {

bool Merge::comes_later(const Head& a, const Head& b) {
  return std::tie(a.access->time, a.recording) > std::tie(b.access->time, b.recording);
}

void Merge::start() {
  for (std::size_t recording = 0; recording < recordings_.size(); ++recording) pull(recording);
  is_started_ = true;
}

void Merge::pull(std::size_t recording) {
  const ParsedAccess* access = recordings_[recording]->next();
  if (!access) return;
  heads_.push_back({access, recording});
  std::push_heap(heads_.begin(), heads_.end(), comes_later);
}

const ParsedAccess* Merge::next() {
  if (!is_started_) start();
  if (taken_) pull(*taken_);
  taken_.reset();
  if (heads_.empty()) return nullptr;
  std::pop_heap(heads_.begin(), heads_.end(), comes_later);
  const Head head = heads_.back();
  heads_.pop_back();
  taken_ = head.recording;
  return head.access;
}

}  // namespace hotkeyd
