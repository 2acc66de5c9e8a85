// Which batch numbers of one epoch came, and which can no longer come.
//
// With m the largest number seen, a bit for each of m-63..m says whether it came. Numbers below the window
// are old; a number above the first one seen that leaves the window without having come is lost. Pure; one
// thread.
#pragma once

#include <cstdint>

namespace hotkeyd {

class SequenceWindow {
 public:
  enum class Place { fresh, seen, old };

  explicit SequenceWindow(std::uint64_t first) : first_(first), largest_(first) {}

  Place place(std::uint64_t number) const;
  // `number` must be fresh. Returns how many numbers became lost because this one is so large.
  std::uint64_t add(std::uint64_t number);
  // Numbers between the first and the largest that may still come.
  std::uint64_t awaited() const;
  std::uint64_t largest() const { return largest_; }

 private:
  static constexpr std::uint64_t kSize = 64;

  // Bits of the numbers above the first one that have not come.
  std::uint64_t missing() const;

  std::uint64_t first_;
  std::uint64_t largest_;
  std::uint64_t seen_ = 1;  // Bit i: largest - i came.
};

}  // namespace hotkeyd
