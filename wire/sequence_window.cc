#include "wire/sequence_window.h"

#include <bit>

namespace hotkeyd {
namespace {

// The lowest `count` bits.
std::uint64_t low_bits(std::uint64_t count) { return count >= 64 ? ~0ULL : (1ULL << count) - 1; }

std::uint64_t count_bits(std::uint64_t bits) { return static_cast<std::uint64_t>(std::popcount(bits)); }

}  // namespace

SequenceWindow::Place SequenceWindow::place(std::uint64_t number) const {
  if (number > largest_) return Place::fresh;
  const std::uint64_t back = largest_ - number;
  if (back >= kSize) return Place::old;
  return (seen_ >> back & 1) != 0 ? Place::seen : Place::fresh;
}

std::uint64_t SequenceWindow::missing() const { return ~seen_ & low_bits(largest_ - first_); }

std::uint64_t SequenceWindow::awaited() const { return count_bits(missing()); }

std::uint64_t SequenceWindow::add(std::uint64_t number) {
  if (number <= largest_) {
    seen_ |= 1ULL << (largest_ - number);
    return 0;
  }
  const std::uint64_t step = number - largest_;
  const bool overlaps = step < kSize;
  const std::uint64_t lost =
      overlaps ? count_bits(missing() & ~low_bits(kSize - step)) : count_bits(missing()) + (step - kSize);
  seen_ = (overlaps ? seen_ << step : 0) | 1;
  largest_ = number;
  return lost;
}

}  // namespace hotkeyd
