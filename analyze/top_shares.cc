#include "analyze/top_shares.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace hotkeyd {
namespace {

constexpr std::size_t kPoints[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};

}  // namespace

TopShares::TopShares(std::size_t entries) : entries_max_(entries), places_(entries) {
  entries_.reserve(entries);
  heap_.reserve(entries);
}

void TopShares::add(std::uint64_t hash) {
  ++total_;
  if (const std::uint32_t found = places_.find(hash); found != HashPlaces::kNone) {
    ++entries_[found].count;
    return;
  }
  if (entries_.size() < entries_max_) {
    const auto at = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({hash, 1, 0});
    places_.insert(hash, at);
    heap_.push_back({0, at});  // Nothing is smaller, so the heap stays one.
    return;
  }
  const std::uint32_t at = smallest();
  Entry& replaced = entries_[at];
  places_.erase(replaced.hash);
  places_.insert(hash, at);
  replaced = {hash, replaced.count + 1, replaced.count};
}

std::uint32_t TopShares::smallest() {
  while (true) {
    Rank& first = heap_.front();
    const std::uint64_t count = entries_[first.entry].count;
    if (first.count == count) return first.entry;
    first.count = count;
    sink();
  }
}

void TopShares::sink() {
  const Rank sinking = heap_.front();
  std::size_t at = 0;
  while (true) {
    std::size_t child = 2 * at + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && heap_[child + 1].count < heap_[child].count) ++child;
    if (heap_[child].count >= sinking.count) break;
    heap_[at] = heap_[child];
    at = child;
  }
  heap_[at] = sinking;
}

// The hottest k keys have at most the k largest counts, and at least what any k keys surely have.
std::vector<TopShare> TopShares::curve() const {
  std::vector<Entry> sorted = entries_;
  std::sort(sorted.begin(), sorted.end(), [](const Entry& a, const Entry& b) { return a.count > b.count; });
  std::vector<std::uint64_t> sure;
  sure.reserve(sorted.size());
  for (const Entry& entry : sorted) sure.push_back(entry.count - entry.error);
  std::sort(sure.begin(), sure.end(), std::greater<>());
  std::vector<TopShare> curve;
  double most = 0;
  double least = 0;
  const auto all = static_cast<double>(total_);
  for (std::size_t at = 0; at < sorted.size(); ++at) {
    most += static_cast<double>(sorted[at].count);
    least += static_cast<double>(sure[at]);
    const bool is_last = at + 1 == sorted.size() && sorted.size() < kPoints[std::size(kPoints) - 1];
    if (is_last || std::find(std::begin(kPoints), std::end(kPoints), at + 1) != std::end(kPoints)) {
      const double top = most / all;
      curve.push_back({at + 1, (top + least / all) / 2, (top - least / all) / 2});
    }
  }
  return curve;
}

}  // namespace hotkeyd
