// The meeting point of two threads: a queue that drops the newest item when full, and counts it.
//
// Any thread may call any member. Standard library only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

namespace hotkeyd {

template <typename T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t size_max) : size_max_(size_max) {}

  // False, and the item is dropped and counted, when the queue is full.
  bool push(T item) {
    const std::lock_guard lock(mutex_);
    if (items_.size() >= size_max_) {
      ++dropped_;
      return false;
    }
    items_.push_back(std::move(item));
    return true;
  }

  // Takes everything that waits, oldest first.
  std::vector<T> take_all() {
    const std::lock_guard lock(mutex_);
    std::vector<T> taken(std::make_move_iterator(items_.begin()), std::make_move_iterator(items_.end()));
    items_.clear();
    return taken;
  }

  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return items_.size();
  }
  std::uint64_t dropped() const {
    const std::lock_guard lock(mutex_);
    return dropped_;
  }

 private:
  const std::size_t size_max_;
  mutable std::mutex mutex_;
  std::deque<T> items_;
  std::uint64_t dropped_ = 0;
};

}  // namespace hotkeyd
