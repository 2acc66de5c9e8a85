// Wakes the background thread and tells it why. Any thread may ring, as often as it likes: only the first
// ring of a kind since the last answer makes a system call, and none of them blocks.
#pragma once

#include <atomic>
#include <cstdint>

namespace hotkeyd::sdk {

// What is wished of the background thread: a set of bits.
enum class Wish : std::uint32_t {
  none = 0,
  early = 1,  // A key rises: flush, at most every 10 ms.
  room = 2,   // A table is full: flush, at most every millisecond.
  now = 4,    // Flush at once.
  send = 8,   // Something else is to be sent.
  stop = 16,
};

class Doorbell {
 public:
  Doorbell();
  ~Doorbell();
  Doorbell(const Doorbell&) = delete;
  Doorbell& operator=(const Doorbell&) = delete;

  void ring(Wish wish) noexcept;
  bool is_wished(Wish wish) const noexcept;
  // The background thread: forgets wishes, so that the next ring of their kind wakes again.
  void answer(Wish wish) noexcept;
  void quiet() const noexcept;  // After poll: makes `fd` unreadable until the next ring.
  int fd() const { return fd_.load(std::memory_order_relaxed); }  // -1 where the system had none left.
  void abandon() noexcept;                                        // In a forked child.

 private:
  std::atomic<std::uint32_t> wishes_{0};
  std::atomic<int> fd_;
};

}  // namespace hotkeyd::sdk
