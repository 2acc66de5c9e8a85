#include "base/glob.h"

#include <gtest/gtest.h>

#include <string>

#include "base/random.h"

namespace hotkeyd {
namespace {

struct Class {
  bool matches;
  std::string_view rest;
};

// Redis's rules for [...], told from the pattern's first byte behind the bracket.
Class match_class(std::string_view glob, char c) {
  const bool negated = glob.starts_with('^');
  if (negated) glob.remove_prefix(1);
  bool found = false;
  while (!glob.empty() && glob[0] != ']') {
    if (glob[0] == '\\' && glob.size() >= 2) {
      found = found || glob[1] == c;
      glob.remove_prefix(2);
    } else if (glob.size() >= 3 && glob[1] == '-') {
      const auto [low, high] =
          std::minmax({static_cast<unsigned char>(glob[0]), static_cast<unsigned char>(glob[2])});
      found = found || (static_cast<unsigned char>(c) >= low && static_cast<unsigned char>(c) <= high);
      glob.remove_prefix(3);
    } else {
      found = found || glob[0] == c;
      glob.remove_prefix(1);
    }
  }
  if (!glob.empty()) glob.remove_prefix(1);
  return {found != negated, glob};
}

// The plain recursive matcher: right, and exponential.
bool oracle(std::string_view glob, std::string_view text) {
  if (glob.empty()) return text.empty();
  if (glob[0] == '*') return oracle(glob.substr(1), text) || (!text.empty() && oracle(glob, text.substr(1)));
  if (text.empty()) return false;
  if (glob[0] == '[') {
    const Class step = match_class(glob.substr(1), text[0]);
    return step.matches && oracle(step.rest, text.substr(1));
  }
  if (glob[0] == '\\' && glob.size() >= 2)
    return glob[1] == text[0] && oracle(glob.substr(2), text.substr(1));
  return (glob[0] == '?' || glob[0] == text[0]) && oracle(glob.substr(1), text.substr(1));
}

TEST(Glob, MatchesWhatRedisMatches) {
  EXPECT_TRUE(glob_matches("", ""));
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("***", "any"));
  EXPECT_TRUE(glob_matches("h?llo", "hello"));
  EXPECT_TRUE(glob_matches("h*llo", "heeeello"));
  EXPECT_TRUE(glob_matches("h[ae]llo", "hallo"));
  EXPECT_TRUE(glob_matches("h[^e]llo", "hbllo"));
  EXPECT_TRUE(glob_matches("h[a-b]llo", "hallo"));
  EXPECT_TRUE(glob_matches("h[b-a]llo", "hallo"));
  EXPECT_TRUE(glob_matches("seckill:*:stock", "seckill::stock"));
  EXPECT_FALSE(glob_matches("", "a"));
  EXPECT_FALSE(glob_matches("?", ""));
  EXPECT_FALSE(glob_matches("h[^e]llo", "hello"));
  EXPECT_FALSE(glob_matches("product:*", "product"));
  EXPECT_FALSE(glob_matches("a", "ab"));
  EXPECT_FALSE(glob_matches("Product:*", "product:1"));
}

TEST(Glob, HandlesTheOddCornersAsRedisDoes) {
  EXPECT_TRUE(glob_matches("\\*", "*"));
  EXPECT_FALSE(glob_matches("\\*", "a"));
  EXPECT_TRUE(glob_matches("a\\", "a\\"));
  EXPECT_TRUE(glob_matches("[\\]]", "]"));
  EXPECT_FALSE(glob_matches("[]", "]"));
  EXPECT_FALSE(glob_matches("[]a]", "a]"));
  EXPECT_TRUE(glob_matches("[^]", "x"));
  EXPECT_TRUE(glob_matches("[^", "x"));
  EXPECT_TRUE(glob_matches("[abc", "b"));
  EXPECT_FALSE(glob_matches("[", "["));
  EXPECT_TRUE(glob_matches("[a-]", "_"));  // A range from ] to a, and no end.
  EXPECT_TRUE(glob_matches("[-a]", "-"));
  EXPECT_TRUE(glob_matches("[\x80-\xff]", "\xc3"));
  EXPECT_TRUE(glob_matches("?", "\xff"));
  EXPECT_TRUE(glob_matches(std::string_view("a\0*", 3), std::string_view("a\0\r\n", 4)));
}

TEST(Glob, AgreesWithTheRecursiveOracleOnRandomInput) {
  constexpr std::string_view kGlobLetters = "ab**?[]^-\\";
  constexpr std::string_view kTextLetters = "ab]-\\^[";
  Random random(3);
  const auto draw = [&](std::string_view letters, std::uint32_t size_max) {
    std::string out(random.below(size_max + 1), ' ');
    for (char& c : out) c = letters[random.below(static_cast<std::uint32_t>(letters.size()))];
    return out;
  };
  int matched = 0;
  for (int round = 0; round < 50'000; ++round) {
    const std::string glob = draw(kGlobLetters, 8);
    const std::string text = draw(kTextLetters, 6);
    ASSERT_EQ(glob_matches(glob, text), oracle(glob, text)) << glob << "  " << text;
    matched += glob_matches(glob, text) ? 1 : 0;
  }
  EXPECT_GT(matched, 2'500);
}

// A recursive matcher needs longer than the age of the universe for these.
TEST(Glob, DecidesHardPatternsOn64KiBKeys) {
  const std::string key(65'536, 'a');
  std::string stars;
  for (int i = 0; i < 300; ++i) stars += "*a";
  EXPECT_TRUE(glob_matches(stars, key));
  EXPECT_FALSE(glob_matches(stars + "*b", key));
  EXPECT_FALSE(glob_matches("*" + std::string(100, 'a') + "b", key));
  EXPECT_FALSE(glob_matches("*" + std::string(100, '?') + "b", key));
  EXPECT_FALSE(glob_matches("*[b-z]", key));
  EXPECT_TRUE(glob_matches(key, key));
}

}  // namespace
}  // namespace hotkeyd
