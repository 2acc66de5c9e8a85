#include "detector/name_arena.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/random.h"

namespace hotkeyd {
namespace {

TEST(NameArena, KeepsNamesThroughMovesAndFitsUpToItsLimit) {
  NameArena arena(1000, 50);
  std::map<std::uint32_t, std::string> names;
  Random random(1);
  std::size_t bytes = 0;
  for (int step = 0; step < 3'000; ++step) {
    const std::uint32_t id = random.below(50);
    if (names.contains(id)) {
      bytes -= names[id].size();
      arena.remove(id);
      names.erase(id);
    } else {
      const std::string name(random.below(200), static_cast<char>('a' + id % 26));
      ASSERT_EQ(arena.fits(name.size()), bytes + name.size() <= 1000);
      if (!arena.fits(name.size())) continue;
      arena.add(id, name);
      names[id] = name;
      bytes += name.size();
    }
    ASSERT_EQ(arena.bytes(), bytes);
    for (const auto& [known, name] : names) ASSERT_EQ(arena.name(known), name);
  }
}

TEST(NameArena, HoldsAnyBytes) {
  NameArena arena(100, 2);
  const std::string hostile("\0\xff\r\n", 4);
  arena.add(1, hostile);
  EXPECT_EQ(arena.name(1), hostile);
}

}  // namespace
}  // namespace hotkeyd
