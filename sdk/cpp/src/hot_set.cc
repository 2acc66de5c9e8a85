#include "sdk/cpp/src/hot_set.h"

namespace hotkeyd::sdk {
namespace {

constexpr std::uint64_t kEmpty = 0;
constexpr std::uint64_t kDeleted = 1;
constexpr std::size_t kSlotsMin = 64;

}  // namespace

HotSet::HotSet() {
  for (int i = 0; i < 2; ++i) tables_.push_back(std::make_unique<Table>(kSlotsMin));
  current_.store(tables_[0].get(), std::memory_order_release);
}

std::uint64_t HotSet::word_of(std::uint64_t hash) { return hash > kDeleted ? hash : hash + 2; }

bool HotSet::contains(std::uint64_t hash) const noexcept {
  const std::uint64_t word = word_of(hash);
  while (true) {
    const std::uint64_t generation = generation_.load(std::memory_order_acquire);
    if (holds(*current_.load(std::memory_order_acquire), word)) return true;
    if (generation_.load(std::memory_order_relaxed) == generation) return false;
  }
}

bool HotSet::holds(const Table& table, std::uint64_t word) const noexcept {
  for (std::size_t probe = 0; probe <= table.mask; ++probe) {
    const std::uint64_t slot = table.slots[(word + probe) & table.mask].load(std::memory_order_acquire);
    if (slot == word) return true;
    if (slot == kEmpty) return false;
  }
  return false;
}

// The slot that holds the word, else the empty one where its chain ends; a table is never full.
std::size_t HotSet::find(const Table& table, std::uint64_t word) {
  std::size_t at = word & table.mask;
  while (true) {
    const std::uint64_t slot = table.slots[at].load(std::memory_order_relaxed);
    if (slot == word || slot == kEmpty) return at;
    at = (at + 1) & table.mask;
  }
}

void HotSet::insert(std::uint64_t hash) {
  const std::uint64_t word = word_of(hash);
  const Table& table = *current_.load(std::memory_order_relaxed);
  Slot& slot = table.slots[find(table, word)];
  if (slot.load(std::memory_order_relaxed) == word) return;
  if ((size_ + deleted_ + 1) * 2 <= table.mask + 1) {
    slot.store(word, std::memory_order_release);
    ++size_;
    return;
  }
  std::vector<std::uint64_t> words{word};
  for (std::size_t at = 0; at <= table.mask; ++at) {
    const std::uint64_t kept = table.slots[at].load(std::memory_order_relaxed);
    if (kept > kDeleted) words.push_back(kept);
  }
  fill(words);
}

void HotSet::erase(std::uint64_t hash) {
  const std::uint64_t word = word_of(hash);
  const Table& table = *current_.load(std::memory_order_relaxed);
  Slot& slot = table.slots[find(table, word)];
  if (slot.load(std::memory_order_relaxed) != word) return;
  slot.store(kDeleted, std::memory_order_release);
  --size_;
  ++deleted_;
}

void HotSet::replace(const std::vector<std::uint64_t>& hashes) {
  std::vector<std::uint64_t> words;
  words.reserve(hashes.size());
  for (const std::uint64_t hash : hashes) words.push_back(word_of(hash));
  fill(words);
}

HotSet::Table& HotSet::other_table(std::size_t keys) {
  std::size_t slots = tables_.back()->mask + 1;
  while (slots < keys * 4) slots *= 2;
  if (slots != tables_.back()->mask + 1) {
    for (int i = 0; i < 2; ++i) tables_.push_back(std::make_unique<Table>(slots));
  }
  Table& last = *tables_.back();
  return current_.load(std::memory_order_relaxed) == &last ? *tables_[tables_.size() - 2] : last;
}

// Stores release, so that a late reader of this table sees the generation of the one published meanwhile.
void HotSet::fill(const std::vector<std::uint64_t>& words) {
  Table& table = other_table(words.size());
  for (std::size_t at = 0; at <= table.mask; ++at) table.slots[at].store(kEmpty, std::memory_order_release);
  size_ = 0;
  deleted_ = 0;
  for (const std::uint64_t word : words) {
    Slot& slot = table.slots[find(table, word)];
    size_ += slot.load(std::memory_order_relaxed) == word ? 0U : 1U;
    slot.store(word, std::memory_order_release);
  }
  current_.store(&table, std::memory_order_release);
  generation_.fetch_add(1, std::memory_order_release);
}

}  // namespace hotkeyd::sdk
