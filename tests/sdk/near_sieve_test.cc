#include "sdk/cpp/src/near_sieve.h"

#include <gtest/gtest.h>

#include <array>

#include "sdk/cpp/src/near_entry.h"

namespace hotkeyd::sdk {
namespace {

TEST(NearSieve, GoesOnWhereItStoppedSoThatWhatSurvivedIsNotAskedAgainAtOnce) {
  std::array<NearEntry, 5> entries;
  NearSieve sieve;
  for (NearEntry& entry : entries) sieve.add(&entry);
  entries[0].is_visited = true;
  ASSERT_EQ(sieve.victim(), &entries[1]);
  sieve.remove(&entries[1]);
  EXPECT_EQ(sieve.victim(), &entries[2]);  // Not the oldest, which is not visited any more.
  sieve.remove(&entries[2]);
  EXPECT_EQ(sieve.victim(), &entries[3]);
  sieve.remove(&entries[3]);
  EXPECT_EQ(sieve.victim(), &entries[4]);
  sieve.remove(&entries[4]);
  EXPECT_EQ(sieve.victim(), &entries[0]);
  sieve.remove(&entries[0]);
  EXPECT_EQ(sieve.victim(), nullptr);
}

TEST(NearSieve, SparesTheVisitedOnce) {
  std::array<NearEntry, 2> entries;
  NearSieve sieve;
  for (NearEntry& entry : entries) sieve.add(&entry);
  for (NearEntry& entry : entries) entry.is_visited = true;
  EXPECT_EQ(sieve.victim(), &entries[0]);
  EXPECT_FALSE(entries[1].is_visited);
}

}  // namespace
}  // namespace hotkeyd::sdk
