#include "sdk/cpp/src/outbox.h"

#include <algorithm>
#include <utility>

namespace hotkeyd::sdk {

// The open batch needs a place among the four as well.
bool Outbox::add(const Growth& growth, Time oldest) {
  if (sealed_.size() == kBatchesMax || open_.rows.size() == kRowsMax) return false;
  if (!open_.rows.empty() && open_.keys.size() + growth.key.size() > kKeyBytesMax) return false;
  OutgoingRow row{.offset = static_cast<std::uint32_t>(open_.keys.size()),
                  .size = static_cast<std::uint32_t>(growth.key.size()),
                  .growth = growth};
  row.growth.key = {};
  open_.oldest = open_.rows.empty() ? oldest : std::min(open_.oldest, oldest);
  open_.keys += growth.key;
  open_.rows.push_back(row);
  open_.accesses += growth.accesses();
  return true;
}

void Outbox::seal(std::uint64_t dropped) {
  if (open_.rows.empty()) return;
  batched_ += open_.accesses;
  open_.seq = ++last_seq_;
  open_.dropped = dropped + dropped_;
  open_.recorded = batched_ + open_.dropped;
  sealed_.push_back(std::exchange(open_, {}));
}

const OutgoingBatch* Outbox::next_to_send() {
  for (OutgoingBatch& batch : sealed_) {
    if (batch.in_flight || batch.refused) continue;
    batch.in_flight = true;
    return &batch;
  }
  return nullptr;
}

OutgoingBatch* Outbox::find(std::uint64_t seq) {
  const auto found =
      std::find_if(sealed_.begin(), sealed_.end(), [&](const auto& batch) { return batch.seq == seq; });
  return found == sealed_.end() ? nullptr : &*found;
}

void Outbox::acknowledge(std::uint64_t seq) {
  const OutgoingBatch* batch = find(seq);
  if (batch == nullptr) return;
  acknowledged_ += batch->accesses;
  std::erase_if(sealed_, [&](const auto& other) { return other.seq == seq; });
}

// What later batches say of the totals before them changes too.
void Outbox::refuse(std::uint64_t seq) {
  OutgoingBatch* batch = find(seq);
  if (batch == nullptr) return;
  const std::uint64_t accesses = std::exchange(batch->accesses, 0);
  for (OutgoingBatch& other : sealed_) other.dropped += other.seq >= seq ? accesses : 0;
  dropped_ += accesses;
  batched_ -= accesses;
  batch->rows.clear();
  batch->keys.clear();
  batch->in_flight = false;
  batch->refused = accesses == 0;  // Even as an empty batch.
}

void Outbox::retry_refused() {
  for (OutgoingBatch& batch : sealed_) batch.refused = false;
}

void Outbox::connection_lost() {
  for (OutgoingBatch& batch : sealed_) batch.in_flight = batch.refused = false;
}

bool Outbox::is_refused() const {
  return std::any_of(sealed_.begin(), sealed_.end(), [](const auto& batch) { return batch.refused; });
}

}  // namespace hotkeyd::sdk
