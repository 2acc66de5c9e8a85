#include "sdk/cpp/src/near_index.h"

#include <algorithm>

namespace hotkeyd::sdk {
namespace {

constexpr std::uint64_t kEmpty = 0;
constexpr std::size_t kSlotsMin = 64;

std::uint64_t word_of(std::uint64_t hash) { return std::max<std::uint64_t>(hash, 1); }

}  // namespace

NearIndex::NearIndex() {
  for (int i = 0; i < 2; ++i) tables_.push_back(std::make_unique<Table>(kSlotsMin));
  current_.store(tables_[0].get(), std::memory_order_release);
}

const NearEntry* NearIndex::protect(std::uint64_t hash, NearGuard& guard) const noexcept {
  const std::uint64_t word = word_of(hash);
  const Table& table = *current_.load(std::memory_order_acquire);
  for (std::size_t probe = 0; probe <= table.mask; ++probe) {
    const Slot& slot = table.slots[(word + probe) & table.mask];
    const std::uint64_t found = slot.word.load(std::memory_order_acquire);
    if (found == kEmpty) return nullptr;
    if (found != word) continue;
    const NearEntry* entry = slot.entry.load(std::memory_order_acquire);
    if (entry == nullptr) return nullptr;
    guard.store(entry, std::memory_order_seq_cst);
    if (slot.entry.load(std::memory_order_seq_cst) == entry && entry->hash == hash) return entry;
    guard.store(nullptr, std::memory_order_release);
    return nullptr;
  }
  return nullptr;
}

// The slot of the word, else the empty one where its chain ends; a table is never full.
NearIndex::Slot& NearIndex::slot_of(const Table& table, std::uint64_t word) {
  std::size_t at = word & table.mask;
  while (true) {
    const std::uint64_t found = table.slots[at].word.load(std::memory_order_relaxed);
    if (found == word || found == kEmpty) return table.slots[at];
    at = (at + 1) & table.mask;
  }
}

NearEntry* NearIndex::find(std::uint64_t hash) const {
  return slot_of(*current_.load(std::memory_order_relaxed), word_of(hash))
      .entry.load(std::memory_order_relaxed);
}

void NearIndex::put(NearEntry* entry) {
  const std::uint64_t word = word_of(entry->hash);
  const Table* table = current_.load(std::memory_order_relaxed);
  Slot* slot = &slot_of(*table, word);
  if (slot->word.load(std::memory_order_relaxed) == kEmpty) {
    if ((used_ + 1) * 2 > table->mask + 1) {
      refill();
      slot = &slot_of(*current_.load(std::memory_order_relaxed), word);
    }
    ++used_;
    slot->word.store(word, std::memory_order_release);
  }
  slot->entry.store(entry, std::memory_order_seq_cst);
  ++size_;
}

void NearIndex::erase(std::uint64_t hash) {
  slot_of(*current_.load(std::memory_order_relaxed), word_of(hash))
      .entry.store(nullptr, std::memory_order_seq_cst);
  --size_;
}

NearIndex::Table& NearIndex::other_table() {
  std::size_t slots = tables_.back()->mask + 1;
  while (slots < (size_ + 1) * 4) slots *= 2;
  if (slots != tables_.back()->mask + 1) {
    for (int i = 0; i < 2; ++i) tables_.push_back(std::make_unique<Table>(slots));
  }
  Table& last = *tables_.back();
  return current_.load(std::memory_order_relaxed) == &last ? *tables_[tables_.size() - 2] : last;
}

void NearIndex::refill() {
  const Table& before = *current_.load(std::memory_order_relaxed);
  Table& table = other_table();
  for (std::size_t at = 0; at <= table.mask; ++at)
    table.slots[at].word.store(kEmpty, std::memory_order_release);
  used_ = 0;
  for (std::size_t at = 0; at <= before.mask; ++at) {
    NearEntry* entry = before.slots[at].entry.load(std::memory_order_relaxed);
    if (entry == nullptr) continue;
    Slot& slot = slot_of(table, word_of(entry->hash));
    slot.entry.store(entry, std::memory_order_seq_cst);
    slot.word.store(word_of(entry->hash), std::memory_order_release);
    ++used_;
  }
  current_.store(&table, std::memory_order_seq_cst);
  for (std::size_t at = 0; at <= before.mask; ++at)
    before.slots[at].entry.store(nullptr, std::memory_order_seq_cst);
}

}  // namespace hotkeyd::sdk
