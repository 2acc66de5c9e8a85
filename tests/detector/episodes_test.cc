#include "detector/episodes.h"

#include <gmock/gmock.h>

#include <string>

namespace hotkeyd {
namespace {

Episode named(std::string key) {
  Episode episode;
  episode.key = std::move(key);
  return episode;
}

TEST(EpisodeLog, ShowsTheNewestFirst) {
  EpisodeLog log(1000);
  for (const char* key : {"a", "b", "c"}) log.start(named(key));
  const auto newest = log.newest(2);
  ASSERT_EQ(newest.size(), 2U);
  EXPECT_EQ(newest[0].key, "c");
  EXPECT_EQ(newest[1].key, "b");
  EXPECT_EQ(log.newest(99).size(), 3U);
}

TEST(EpisodeLog, KeepsAThousand) {
  EpisodeLog log(1 << 20);
  const EpisodeNumber first = log.start(named("first"));
  for (int i = 0; i < 1000; ++i) log.start(named("k" + std::to_string(i)));
  EXPECT_EQ(log.find(first), nullptr);
  EXPECT_EQ(log.find(first + 1)->key, "k0");
  EXPECT_EQ(log.newest(5000).size(), 1000U);
}

TEST(EpisodeLog, KeepsFewerWhereKeysAreHuge) {
  EpisodeLog log(100);
  for (char letter = 'a'; letter < 'e'; ++letter) log.start(named(std::string(40, letter)));
  EXPECT_EQ(log.newest(99).size(), 2U);
  log.start(named(std::string(200, 'x')));
  EXPECT_EQ(log.newest(99).size(), 1U);
}

}  // namespace
}  // namespace hotkeyd
