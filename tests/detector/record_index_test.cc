#include "detector/record_index.h"

#include <gtest/gtest.h>

#include <map>

#include "base/random.h"

namespace hotkeyd {
namespace {

TEST(RecordIndex, FindsWhatIsThereAndNothingElse) {
  RecordIndex index(64);
  std::map<std::uint32_t, std::uint64_t> hashes;  // By id; many share their low bits.
  Random random(1);
  for (int step = 0; step < 2'000; ++step) {
    const std::uint32_t id = random.below(64);
    if (hashes.contains(id)) {
      index.erase(hashes[id], id);
      hashes.erase(id);
    } else {
      hashes[id] = (std::uint64_t{id} << 32) | (random.below(5) * 64 + 63);
      index.insert(hashes[id], id);
    }
    for (std::uint32_t wanted = 0; wanted < 64; ++wanted) {
      const std::uint64_t hash =
          hashes.contains(wanted) ? hashes[wanted] : (std::uint64_t{wanted} << 32) | 63;
      const auto found = index.find(hash, [&](std::uint32_t candidate) { return candidate == wanted; });
      ASSERT_EQ(found, hashes.contains(wanted) ? wanted : RecordIndex::kNone);
    }
  }
}

}  // namespace
}  // namespace hotkeyd
