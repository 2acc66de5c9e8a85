#include "analyze/hash_places.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace hotkeyd {
namespace {

TEST(HashPlaces, FindsWhatAMapFindsWhateverWasErased) {
  HashPlaces places(64);
  std::map<std::uint64_t, std::uint32_t> exact;
  std::mt19937_64 dice(3);
  for (std::uint32_t step = 0; step < 20'000; ++step) {
    const std::uint64_t hash =
        (dice() % 4) * 1024 + 120 + dice() % 40;  // Many homes shared, also at the end.
    const bool is_there = exact.contains(hash);
    ASSERT_EQ(places.find(hash), is_there ? exact[hash] : HashPlaces::kNone) << step;
    if (is_there) {
      places.erase(hash);
      exact.erase(hash);
    } else if (exact.size() < 64) {
      places.insert(hash, step);
      exact[hash] = step;
    }
  }
}

}  // namespace
}  // namespace hotkeyd
