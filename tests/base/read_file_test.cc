#include "base/read_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temp_folder.h"

namespace hotkeyd {
namespace {

TEST(ReadFile, GivesEveryByteUpToTheLimit) {
  const TempFolder folder;
  const std::string text("a\0\r\n\xff", 5);
  std::ofstream(folder.file("f"), std::ios::binary) << text;
  EXPECT_EQ(read_file(folder.file("f"), 6).value(), text);
  EXPECT_EQ(read_file(folder.file("f"), 5).value(), text);
  EXPECT_EQ(read_file(folder.file("f"), 2).value(), text.substr(0, 2));
}

TEST(ReadFile, GivesNothingOfAnEmptyFile) {
  const TempFolder folder;
  std::ofstream(folder.file("f"), std::ios::binary) << "";
  EXPECT_EQ(read_file(folder.file("f"), 5).value(), "");
}

TEST(ReadFile, NamesTheReason) {
  const TempFolder folder;
  const auto missing = read_file(folder.file("none"), 5);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error(), "No such file or directory");
  const auto is_folder = read_file(folder.file("."), 5);
  ASSERT_FALSE(is_folder);
  EXPECT_EQ(is_folder.error(), "Is a directory");
}

}  // namespace
}  // namespace hotkeyd
