// The hashes of the keys that are hot now: one writer, any number of readers that never wait for it.
//
// An open-addressing table of atomic words. A key comes or goes with one store; when deleted slots pile up,
// or the table is too small, the writer fills another table and publishes it. Tables are kept until the set
// is destroyed, and the two of one size take turns, so that a reader always reads live memory: a reader that
// misses in a table that is no longer the published one looks again. It compares whole 64-bit keyed hashes,
// not keys: two keys of 100,000 hot ones are taken for each other with a chance of 2^-47 a lookup.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace hotkeyd::sdk {

class HotSet {
 public:
  HotSet();

  bool contains(std::uint64_t hash) const noexcept;  // Any thread.

  // One thread, the writer's.
  void insert(std::uint64_t hash);
  void erase(std::uint64_t hash);
  void replace(const std::vector<std::uint64_t>& hashes);
  std::size_t size() const { return size_; }

 private:
  using Slot = std::atomic<std::uint64_t>;
  struct Table {
    explicit Table(std::size_t size) : mask(size - 1), slots(std::make_unique<Slot[]>(size)) {}
    std::size_t mask;
    std::unique_ptr<Slot[]> slots;
  };

  static std::uint64_t word_of(std::uint64_t hash);
  static std::size_t find(const Table& table, std::uint64_t word);
  bool holds(const Table& table, std::uint64_t word) const noexcept;
  Table& other_table(std::size_t keys);
  void fill(const std::vector<std::uint64_t>& words);

  std::atomic<const Table*> current_;
  std::atomic<std::uint64_t> generation_{0};
  std::vector<std::unique_ptr<Table>> tables_;  // The last two are of the size in use.
  std::size_t size_ = 0;
  std::size_t deleted_ = 0;
};

}  // namespace hotkeyd::sdk
