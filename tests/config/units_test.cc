#include "config/units.h"

#include <gtest/gtest.h>

#include "config/expand.h"
#include "config/suggest.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

TEST(Units, ReadValuesWithTheirUnit) {
  EXPECT_EQ(*parse_duration("500ms"), Duration(500ms));
  EXPECT_EQ(*parse_duration("1.5s"), Duration(1500ms));
  EXPECT_EQ(*parse_duration("5min"), Duration(5min));
  EXPECT_EQ(*parse_duration("2h"), Duration(2h));
  EXPECT_EQ(*parse_size("16MiB"), 16U << 20);
  EXPECT_EQ(*parse_size("0.5KiB"), 512U);
  EXPECT_EQ(*parse_rate("60000/min"), 1000);
  EXPECT_EQ(*parse_fraction("12.5%"), 0.125);
  EXPECT_EQ(*parse_count("0042"), 42U);
}

TEST(Units, RefuseEverythingElse) {
  for (const char* text :
       {"", "s", "1", "1 s", "+1s", "-1s", "1e3s", ".5s", "1..5s", "1S", "1sec", "nans", "0x1s"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
  for (const char* text : {"1", "1MB", "1mib", "1025GiB", "0.3B"}) EXPECT_FALSE(parse_size(text)) << text;
  for (const char* text : {"1", "1/h", "0/s", "0.0/min", "1 /s", "99999999999999/s"})
    EXPECT_FALSE(parse_rate(text)) << text;
  for (const char* text : {"0%", "100.1%", "0.1", "%"}) EXPECT_FALSE(parse_fraction(text)) << text;
}

TEST(Units, WriteWhatTheyReadBack) {
  for (const char* text : {"0s", "1s", "250ms", "86400s"})
    EXPECT_EQ(write_duration(*parse_duration(text)), text);
  for (const char* text : {"0B", "1B", "1025B", "64KiB", "3MiB", "1024GiB"})
    EXPECT_EQ(write_size(*parse_size(text)), text);
  for (const char* text : {"1/s", "1000000000000/s", "1/min", "100/min", "1.2345/s", "0.000001/s"}) {
    EXPECT_EQ(write_rate(*parse_rate(text)), text);
  }
  for (int percent = 1; percent <= 100; ++percent) {
    const std::string text = std::to_string(percent) + "%";
    EXPECT_EQ(write_fraction(*parse_fraction(text)), text);
  }
  EXPECT_EQ(write_fraction(*parse_fraction("0.001%")), "0.001%");
}

TEST(Variables, ExpandOnceAndOnlyWhatIsWrittenAsOne) {
  const std::map<std::string, std::string> environment{{"A", "1"}, {"B", "${A}"}, {"E", ""}};
  const auto expanded = [&](std::string_view text) { return *expand_variables(text, environment); };
  EXPECT_EQ(expanded("x${A}y${A}"), "x1y1");
  EXPECT_EQ(expanded("${B}"), "${A}");
  EXPECT_EQ(expanded("$A $ {A} ^a$"), "$A $ {A} ^a$");
  EXPECT_EQ(expanded("${E}|${E:-d}|${N:-d:e}|${N:-}"), "|d|d:e|");
  EXPECT_EQ(expanded("$${A}"), "${A}");
  EXPECT_EQ(expanded(escape_variables("${A} $${A} $$${")), "${A} $${A} $$${");
}

TEST(Variables, RefuseBytesThatAreNoTextAndTooMuch) {
  EXPECT_FALSE(expand_variables("${A}", {{"A", "\xff"}}));
  EXPECT_FALSE(expand_variables("${A}${A}", {{"A", std::string(40'000, 'a')}}));
}

TEST(NearestWord, TakesTheFewestEditsWithinAThird) {
  constexpr std::array<std::string_view, 4> kWords{"rules", "listen", "node", "window"};
  EXPECT_EQ(nearest_word("ruls", kWords), "rules");
  EXPECT_EQ(nearest_word("lsiten", kWords), "listen");
  EXPECT_EQ(nearest_word("windw", kWords), "window");
  EXPECT_EQ(nearest_word("nod", kWords), "node");
  EXPECT_EQ(nearest_word("xyz", kWords), std::nullopt);
  EXPECT_EQ(nearest_word("", kWords), std::nullopt);
  EXPECT_EQ(nearest_word(std::string(1000, 'r'), kWords), std::nullopt);
}

}  // namespace
}  // namespace hotkeyd
