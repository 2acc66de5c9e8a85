#include "analyze/recording.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyze/merge.h"
#include "tests/analyze/string_source.h"

namespace hotkeyd {
namespace {

using Rows = std::vector<std::string>;

std::string row(const ParsedAccess& access) {
  return std::to_string(access.time) + " " + std::string(access.key) + " " +
         (access.kind == AccessKind::write ? "write" : "read");
}

Rows all(Recording& recording) {
  Rows rows;
  while (const ParsedAccess* access = recording.next()) rows.push_back(row(*access));
  return rows;
}

const std::string kDump =
    "OK\n"
    "1.5 [0 127.0.0.1:5] \"GET\" \"a\"\n"
    "1.6 [0 127.0.0.1:5] \"GET\" \"cut\n"
    "1.7 [0 127.0.0.1:5] \"MSET\" \"b\" \"1\" \"c\" \"2\"\n";

TEST(Recording, GivesTheAccessesOfADumpHoweverItIsCut) {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, SIZE_MAX}) {
    StringSource source(kDump, piece);
    Recording recording(source);
    EXPECT_EQ(all(recording), (Rows{"1500000 a read", "1700000 b write", "1700000 c write"})) << piece;
    EXPECT_EQ(recording.stats().lines, 4U);
    EXPECT_EQ(recording.stats().bad_lines, 1U);
    ASSERT_EQ(recording.stats().first_bad.size(), 1U);
    EXPECT_EQ(recording.stats().first_bad[0].number, 3U);
    EXPECT_FALSE(recording.stats().first_bad[0].reason.empty());
    EXPECT_EQ(recording.error(), std::nullopt);
  }
}

TEST(Recording, HasALastLineWithoutALineBreak) {
  StringSource source("1.5,a\n1.6,b", SIZE_MAX);
  Recording recording(source);
  EXPECT_EQ(all(recording), (Rows{"1500000 a read", "1600000 b read"}));
  EXPECT_EQ(recording.stats().lines, 2U);
}

TEST(Recording, ReadsCsvWithQuotedLineBreaksAndCountsManyBadLines) {
  StringSource source("2,\"a\nb\",set\n\n" + std::string("bad\nbad\nbad\nbad\nbad\nbad\n") +
                      "3,k\n3,k\n3,k\n3,k\n3,k\n");
  Recording recording(source);
  Rows rows(6, "3000000 k read");
  rows[0] = "2000000 a\nb write";
  EXPECT_EQ(all(recording), rows);
  EXPECT_EQ(recording.stats().bad_lines, 6U);
  EXPECT_EQ(recording.stats().first_bad.size(), Recording::kToldMax);
  EXPECT_EQ(recording.stats().first_bad[0].number, 4U);
}

TEST(Recording, SaysWhatAFileIsThatIsNone) {
  for (const auto& [bytes, said] :
       std::vector<std::pair<std::string, std::string>>{{"\xd4\xc3\xb2\xa1 and so on", "packet capture"},
                                                        {"\x1f\x8b\x08", "compressed"},
                                                        {"hello\nworld\n", "neither"},
                                                        {"OK\nts=1.5 gid=2\nts=1.6 gid=3\n", "neither"},
                                                        {"a log\n1,000 lines\nOK\nof it\n", "neither"}}) {
    StringSource source(bytes);
    Recording recording(source);
    EXPECT_EQ(recording.next(), nullptr);
    ASSERT_TRUE(recording.error());
    EXPECT_NE(recording.error()->find(said), std::string::npos) << *recording.error();
  }
}

TEST(Recording, MayBeginWithALineOfAnyLength) {
  for (const std::size_t size : {std::size_t{70'000}, std::size_t{1} << 20, std::size_t{3} << 20}) {
    StringSource source("1.5 [0 127.0.0.1:5] \"SET\" \"k\" \"" + std::string(size, 'x') +
                        "\"\n1.6 [0 127.0.0.1:5] \"GET\" \"k\"\n");
    Recording recording(source);
    EXPECT_EQ(all(recording), (Rows{"1500000 k write", "1600000 k read"})) << size;
    EXPECT_EQ(recording.stats().bad_lines, 0U) << size;
  }
}

TEST(Recording, OfAnIdleMonitorIsADumpAndAByteOrderMarkIsNotPartOfTheFirstLine) {
  StringSource idle("OK\n");
  Recording nothing(idle);
  EXPECT_EQ(all(nothing), Rows{});
  EXPECT_EQ(nothing.error(), std::nullopt);
  StringSource marked(
      "\xef\xbb\xbf"
      "1.5,k\n");
  Recording recording(marked);
  EXPECT_EQ(all(recording), Rows{"1500000 k read"});
}

TEST(Recording, OfNothingHasNoAccessAndNoError) {
  StringSource source("");
  Recording recording(source);
  EXPECT_EQ(recording.next(), nullptr);
  EXPECT_EQ(recording.error(), std::nullopt);
}

TEST(Merge, OrdersByTimeAndAtEqualTimesByTheFilesOrder) {
  StringSource first("1,a\n3,b\n3,c\n9,d\n");
  StringSource second("1.000000 [0 1.2.3.4:5] \"MGET\" \"p\" \"q\"\n3.0 [0 1.2.3.4:5] \"GET\" \"r\"\n");
  StringSource third("");
  Recording one(first);
  Recording two(second);
  Recording three(third);
  Merge merge({&one, &two, &three});
  Rows rows;
  while (const ParsedAccess* access = merge.next()) rows.push_back(row(*access));
  EXPECT_EQ(rows, (Rows{"1000000 a read", "1000000 p read", "1000000 q read", "3000000 b read",
                        "3000000 c read", "3000000 r read", "9000000 d read"}));
}

}  // namespace
}  // namespace hotkeyd
