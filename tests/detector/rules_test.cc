#include "detector/rules.h"

#include <gmock/gmock.h>

#include <chrono>
#include <string>

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;

RuleOptions named(std::string name, MatchKind kind, std::string pattern) {
  RuleOptions rule;
  rule.name = std::move(name);
  rule.match_kind = kind;
  rule.pattern = std::move(pattern);
  rule.promote.rate = 100;
  return rule;
}

std::string rule_of(const RuleList& rules, std::string_view key) {
  const Rule* rule = first_match(rules, key);
  return rule ? rule->options().name : "none";
}

TEST(Rules, TheFirstThatMatchesInFileOrderDecides) {
  const std::vector<RuleOptions> options{named("one", MatchKind::exact, "stock:1"),
                                         named("digits", MatchKind::regex, "^stock:[0-9]+$"),
                                         named("stock", MatchKind::glob, "stock:*")};
  const RuleBook book(options, 1s);
  const RuleList rules = book.applying_to("shop");
  EXPECT_EQ(rule_of(rules, "stock:1"), "one");
  EXPECT_EQ(rule_of(rules, "stock:22"), "digits");
  EXPECT_EQ(rule_of(rules, "stock:x"), "stock");
  EXPECT_EQ(rule_of(rules, "other"), "none");
}

TEST(Rules, OfAnotherNamespaceDoNotApply) {
  std::vector<RuleOptions> options{named("foreign", MatchKind::glob, "*"),
                                   named("all", MatchKind::glob, "*")};
  options.front().ns = "other";
  const RuleBook book(options, 1s);
  EXPECT_EQ(rule_of(book.applying_to("shop"), "k"), "all");
  EXPECT_EQ(rule_of(book.applying_to("other"), "k"), "foreign");
}

TEST(Rules, ARegexIsUnanchoredAndMatchesBytes) {
  const Rule part(named("r", MatchKind::regex, "[0-9]{3}"), 1s);
  EXPECT_TRUE(part.matches("a123b"));
  EXPECT_FALSE(part.matches("a12b"));
  const Rule bytes(named("r", MatchKind::regex, "^\\xff.$"), 1s);
  EXPECT_TRUE(bytes.matches("\xff\x80"));
  EXPECT_FALSE(bytes.matches("\xff"));
  const Rule nul(named("r", MatchKind::regex, "^a\\x00b$"), 1s);
  EXPECT_TRUE(nul.matches("a\0b"s));
}

TEST(Rules, AKeyOf64KiBIsMatchedByEveryKind) {
  const std::string key(65'536, 'a');
  EXPECT_TRUE(Rule(named("r", MatchKind::exact, key), 1s).matches(key));
  EXPECT_FALSE(Rule(named("r", MatchKind::glob, "*a*a*a*a*a*b"), 1s).matches(key));
  EXPECT_FALSE(Rule(named("r", MatchKind::regex, "(a*)*b$"), 1s).matches(key));
}

TEST(Rules, ARegexThatCannotBeCompiledIsAnErrorWithItsReason) {
  const auto valid = validate_pattern(named("r", MatchKind::regex, "^stock:(\\d+$"));
  ASSERT_FALSE(valid);
  EXPECT_THAT(valid.error(), testing::HasSubstr("missing )"));
  EXPECT_TRUE(validate_pattern(named("r", MatchKind::regex, "^stock:\\d+$")));
  EXPECT_TRUE(validate_pattern(named("r", MatchKind::glob, "(")));
}

TEST(Rules, ShowTheirEffectiveWindowWritesAndDemoteRate) {
  const Rule rule(named("r", MatchKind::glob, "*"), 2s);
  EXPECT_EQ(rule.options().window, Duration(2s));
  EXPECT_EQ(rule.options().promote.writes, 100);
  EXPECT_EQ(rule.options().demote.rate, 70);
}

TEST(Rules, TheSmallestThresholdIsPerWindow) {
  std::vector<RuleOptions> options{named("a", MatchKind::glob, "a"), named("b", MatchKind::glob, "b"),
                                   named("c", MatchKind::glob, "c")};
  options[0].promote.misses = 30;
  options[1].window = 60s;
  options[2].promote = {};
  const RuleBook book(options, 1s);
  const RuleList rules = book.applying_to("shop");
  EXPECT_EQ(smallest_threshold(rules, 1s), 30U);
  EXPECT_EQ(smallest_threshold(rules, 60s), 6000U);
  EXPECT_EQ(smallest_threshold(rules, 5s), std::nullopt);
  EXPECT_EQ(smallest_threshold(rules), 30U);
  EXPECT_EQ(smallest_threshold(RuleList{}), 0U);
}

}  // namespace
}  // namespace hotkeyd
