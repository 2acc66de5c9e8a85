// An array of fixed size whose memory is not touched before it is used.
//
// A namespace has room for 20,000 candidates from the start, and most namespaces never need it: constructing
// them all costs 9 MB of page faults, 4 ms of the data thread at the first access of a namespace. Elements
// are indeterminate until they are assigned whole. Pure; one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace hotkeyd {

template <class T>
class UntouchedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  explicit UntouchedArray(std::size_t size) : size_(size), memory_(allocate(size)) {}

  T& operator[](std::size_t i) { return memory_.get()[i]; }
  const T& operator[](std::size_t i) const { return memory_.get()[i]; }
  std::size_t size() const { return size_; }
  std::span<T> all() { return {memory_.get(), size_}; }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };

  static T* allocate(std::size_t size) {
    constexpr std::size_t kAlignment = std::max(alignof(T), alignof(std::max_align_t));
    const std::size_t bytes = std::max(size * sizeof(T), kAlignment);
    void* memory = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }

  std::size_t size_;
  std::unique_ptr<T, Free> memory_;
};

}  // namespace hotkeyd
