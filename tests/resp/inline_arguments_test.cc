#include "resp/inline_arguments.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hotkeyd {
namespace {

using Arguments = std::vector<std::string>;

std::optional<Arguments> split(std::string_view line) {
  std::string unquoted;
  std::vector<std::string_view> arguments;
  if (!split_inline(line, unquoted, arguments)) return std::nullopt;
  return Arguments(arguments.begin(), arguments.end());
}

TEST(InlineArguments, AreSeparatedByBlanks) {
  EXPECT_EQ(split(""), Arguments{});
  EXPECT_EQ(split(" \t "), Arguments{});
  EXPECT_EQ(split("  GET \t k  "), (Arguments{"GET", "k"}));
  EXPECT_EQ(split("a\vb"), Arguments{"a\vb"});
}

TEST(InlineArguments, MayBeQuotedWithEscapes) {
  EXPECT_EQ(split(R"("a b")"), Arguments{"a b"});
  EXPECT_EQ(split(R"("\x41\xfF\n\r\t\a\b\"\\\q")"), Arguments{"A\xff\n\r\t\a\b\"\\q"});
  EXPECT_EQ(split(R"("\x4g\x")"), Arguments{"x4gx"});
}

TEST(InlineArguments, KnowOneEscapeInSingleQuotes) {
  EXPECT_EQ(split(R"('it\'s' '\x41\n"')"), (Arguments{"it's", R"(\x41\n")"}));
}

TEST(InlineArguments, MayBeginAQuoteInTheirMiddle) {
  EXPECT_EQ(split(R"(ab"c d" e'f g')"), (Arguments{"abc d", "ef g"}));
}

TEST(InlineArguments, KeepBackslashesOutsideOfQuotes) {
  EXPECT_EQ(split(R"(a\x41 \)"), (Arguments{R"(a\x41)", "\\"}));
}

TEST(InlineArguments, StayValidWhenManyAreQuoted) {
  std::string line;
  for (int i = 0; i < 1000; ++i) line += "\"" + std::to_string(i) + "\" ";
  const auto arguments = split(line);
  ASSERT_TRUE(arguments);
  EXPECT_EQ(arguments->size(), 1000U);
  EXPECT_EQ(arguments->front(), "0");
  EXPECT_EQ(arguments->back(), "999");
}

TEST(InlineArguments, AreRefusedWhenQuotesAreUnbalanced) {
  for (const std::string_view line :
       {R"(")", R"('a)", R"("a"b)", R"('a'b)", R"("a\")", R"("a\)", R"(""")", R"('a'"b")"}) {
    EXPECT_EQ(split(line), std::nullopt) << line;
  }
}

}  // namespace
}  // namespace hotkeyd
