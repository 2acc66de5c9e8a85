// Texts that YAML libraries misread.
#include <gmock/gmock.h>

#include "config/yaml_tree.h"
#include "tests/config/outcome.h"

namespace hotkeyd {
namespace {

TEST(Yaml, RefusesTextsThatDoNotEndWhereTheySeemTo) {
  const std::string never_ends = "the quoted text that begins here never ends";
  EXPECT_EQ(errors_of("node: \"a\nhttp:\n  listen: 127.0.0.1:1\n"), (std::vector{"f:1:7: " + never_ends}));
  EXPECT_EQ(errors_of("  node: a\n  lease: 'x\n"), (std::vector{"f:2:10: " + never_ends}));
  EXPECT_EQ(
      errors_of("node: a\nlog: { level: \"info\n"),
      (std::vector<std::string>{"f:3:1: end of map flow not found: a { has no }, or a quote no other"}));
  EXPECT_EQ(
      errors_of("node: [a\n"),
      (std::vector<std::string>{"f:2:1: end of sequence flow not found: a [ has no ], or a quote no other"}));
}

TEST(Yaml, RefusesASecondDocument) {
  const std::vector<std::string> second{"f:2:1: only one document is allowed, and here a second one begins"};
  EXPECT_EQ(errors_of("node: a\n---\nnode: b\n"), second);
  EXPECT_EQ(errors_of("- a\nnode: b\n"), second);
  EXPECT_EQ(errors_of("{node: a}\nlease: 1s\n"), second);
}

TEST(Yaml, RefusesCyclesAndBombs) {
  EXPECT_EQ(errors_of("a: &a [*a]\n"),
            (std::vector<std::string>{"f:1:8: this alias refers to the value that it is part of"}));
  std::string bomb = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before + ", " + before + "]\n";
  }
  EXPECT_THAT(errors_of(bomb), testing::ElementsAre(testing::HasSubstr("aliases make the file too large")));
  const std::string big = "a: &a '" + std::string(500'000, 'x') + "'\nb: [*a, *a, *a]\n";
  EXPECT_THAT(errors_of(big), testing::ElementsAre(testing::HasSubstr("aliases make the file too large")));
}

TEST(Yaml, RefusesTooMuch) {
  EXPECT_EQ(errors_of(std::string(kConfigBytesMax + 1, '#')),
            (std::vector<std::string>{"f:1:1: the file is larger than 1 MiB"}));
  std::string many = "namespaces:\n";
  for (int i = 0; i < 10'000; ++i) many += "- a\n";
  EXPECT_EQ(errors_of(many), (std::vector<std::string>{"f:9999:3: more than 10000 values"}));
  EXPECT_EQ(errors_of("node: " + std::string(40, '[') + std::string(40, ']')),
            (std::vector<std::string>{"f:1:38: more than 32 levels deep"}));
}

TEST(Yaml, RefusesBytesThatAreNoText) {
  EXPECT_EQ(errors_of(std::string_view("\0", 1)),
            (std::vector<std::string>{"f:1:1: a NUL byte is not allowed"}));
  EXPECT_EQ(errors_of(std::string_view("node: a\n  b\0", 12)),
            (std::vector<std::string>{"f:2:4: a NUL byte is not allowed"}));
  EXPECT_EQ(errors_of("node: a\nb: \xff\n"),
            (std::vector<std::string>{"f:2:1: this line is not valid UTF-8"}));
}

TEST(Yaml, NamesThePlaceOfASyntaxError) {
  EXPECT_EQ(errors_of("node: a\nb: c: d\n"),
            (std::vector<std::string>{
                "f:2:5: illegal map value: a value that holds ': ' needs quotes, and lines are "
                "indented with blanks"}));
  EXPECT_EQ(errors_of("node: *\n"),
            (std::vector<std::string>{
                "f:1:8: alias not found after *: a value that begins with * needs quotes, as in \"*\""}));
}

TEST(Yaml, RemembersWhereEverythingStands) {
  const auto parsed = parse_yaml("a: 1\nb:\n  - c\n  - \"d\"\n");
  const auto& root = std::get<YamlNode>(parsed);
  ASSERT_EQ(root.keys.size(), 2U);
  EXPECT_EQ(root.keys[1].place, (Place{2, 1}));
  EXPECT_EQ(root.values[0].place, (Place{1, 4}));
  EXPECT_EQ(root.values[1].values[1].place, (Place{4, 5}));
  EXPECT_FALSE(root.values[1].values[0].is_quoted);
  EXPECT_TRUE(root.values[1].values[1].is_quoted);
}

}  // namespace
}  // namespace hotkeyd
