#include "cli/table.h"

#include <gtest/gtest.h>

namespace hotkeyd {
namespace {

TEST(Table, AlignsNumbersToTheRightAndWordsToTheLeft) {
  Table table({{"RATE", true}, {"CLASS"}, {"KEY"}});
  table.add({"1,000", "read", "product:1"});
  table.add({"7", "w", "a"});
  EXPECT_EQ(table.text(),
            " RATE  CLASS  KEY\n"
            "1,000  read   product:1\n"
            "    7  w      a\n");
}

TEST(Table, AddsNothingBehindTheLastCell) {
  Table table({{"N", true}, {"KEY"}});
  table.add({"1", " ends with a blank "});
  EXPECT_EQ(table.text(), "N  KEY\n1   ends with a blank \n");
}

}  // namespace
}  // namespace hotkeyd
