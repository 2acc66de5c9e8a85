#include "sources/line_splitter.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace hotkeyd {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

struct Cut {
  std::string text;
  std::uint64_t number = 1;
  std::uint64_t cut = 0;

  bool operator==(const Cut&) const = default;
};

void PrintTo(const Cut& line, std::ostream* out) {
  *out << line.number << ": '" << line.text << "' and " << line.cut << " bytes";
}

std::vector<Cut> split(std::string_view bytes, LineOptions options, std::size_t piece) {
  LineSplitter splitter(options);
  std::vector<Cut> lines;
  const auto take = [&] {
    while (const auto line = splitter.next())
      lines.push_back({std::string(line->text), line->number, line->cut});
  };
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    splitter.feed(bytes.substr(0, piece));
    take();
  }
  splitter.finish();
  take();
  return lines;
}

// Splits in pieces of many sizes, which must not matter.
std::vector<Cut> split(std::string_view bytes, LineOptions options = {}) {
  const auto lines = split(bytes, options, bytes.size() + 1);
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    EXPECT_THAT(split(bytes, options, piece), ElementsAreArray(lines)) << "in pieces of " << piece;
  }
  return lines;
}

TEST(LineSplitter, CutsAtEveryKindOfLineBreak) {
  EXPECT_THAT(split("a\nb\r\n\n\r\nlast"),
              ElementsAre(Cut{"a", 1}, Cut{"b", 2}, Cut{"", 3}, Cut{"", 4}, Cut{"last", 5}));
  EXPECT_THAT(split(""), ElementsAre());
  EXPECT_THAT(split("a\rb\n"), ElementsAre(Cut{"a\rb", 1}));
}

TEST(LineSplitter, KeepsTheHeadOfALongLineAndCountsTheRest) {
  const LineOptions options{.line_max = 4};
  EXPECT_THAT(split("1234\n12345\n1234567890\r\nx\n", options),
              ElementsAre(Cut{"1234", 1}, Cut{"1234", 2, 1}, Cut{"1234", 3, 6}, Cut{"x", 4}));
  EXPECT_THAT(split("1234567890", options), ElementsAre(Cut{"1234", 1, 6}));
}

TEST(LineSplitter, HoldsNoMoreThanTheLongestLine) {
  LineSplitter splitter({.line_max = 1000});
  const std::string chunk(10'000, 'x');
  for (int i = 0; i < 1000; ++i) {
    splitter.feed(chunk);
    ASSERT_EQ(splitter.next(), std::nullopt);
  }
  splitter.feed("\n");
  EXPECT_EQ(splitter.next(), (Line{std::string_view(chunk).substr(0, 1000), 1, 9'999'000}));
}

TEST(LineSplitter, KeepsLineBreaksInQuotedFields) {
  const LineOptions quoted{.quoted = true};
  EXPECT_THAT(split("1,\"a\nb\",get\n2,c\n", quoted), ElementsAre(Cut{"1,\"a\nb\",get", 1}, Cut{"2,c", 3}));
  EXPECT_THAT(split("1,\"a\"\"\n\"\"b\"\n2,c\n", quoted),
              ElementsAre(Cut{"1,\"a\"\"\n\"\"b\"", 1}, Cut{"2,c", 3}));
  EXPECT_THAT(split("1,a\"b\n2,c\n", quoted), ElementsAre(Cut{"1,a\"b", 1}, Cut{"2,c", 2}));
}

TEST(LineSplitter, LosesOneLineToAQuoteLeftOpen) {
  const LineOptions quoted{.line_max = 16, .quoted = true};
  EXPECT_THAT(split("1,\"a\n2,b\n", quoted), ElementsAre(Cut{"1,\"a", 1}, Cut{"2,b", 2}));
  EXPECT_THAT(split("1,\"a\n2,b\n3,c\n4,d\n5,\"e\n\"\n", quoted),
              ElementsAre(Cut{"1,\"a", 1}, Cut{"2,b", 2}, Cut{"3,c", 3}, Cut{"4,d", 4}, Cut{"5,\"e\n\"", 5}));
  EXPECT_THAT(split("1,\"aaaaaaaaaaaaaaaaaaaaaaa\n2,b\n", quoted),
              ElementsAre(Cut{"1,\"aaaaaaaaaaaaa", 1, 10}, Cut{"2,b", 2}));
}

}  // namespace
}  // namespace hotkeyd
