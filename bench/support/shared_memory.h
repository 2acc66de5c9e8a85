// Memory that forked processes have in common.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>
#include <span>

namespace hotkeyd {

// `count` items, value-initialized; never given back. Throws std::bad_alloc.
template <typename T>
std::span<T> share(std::size_t count) {
  void* memory = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto* items = static_cast<T*>(memory);
  std::uninitialized_value_construct_n(items, count);
  return {items, count};
}

}  // namespace hotkeyd
