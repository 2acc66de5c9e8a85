#include "config/values.h"

#include <gtest/gtest.h>

#include <string>

namespace hotkeyd {
namespace {

TEST(Values, TakeNamesAndLabelsOfUpTo128Bytes) {
  const std::string longest(128, 'x');
  EXPECT_EQ(*parse_name(longest), longest);
  EXPECT_EQ(*parse_label(longest), longest);
  EXPECT_FALSE(parse_name(longest + "x"));
  EXPECT_FALSE(parse_label(longest + "x"));
  EXPECT_FALSE(parse_name(""));
  EXPECT_FALSE(parse_label(""));
}

}  // namespace
}  // namespace hotkeyd
