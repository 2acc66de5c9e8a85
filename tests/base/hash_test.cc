#include "base/hash.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hotkeyd {
namespace {

struct Row {
  int before;
  std::string_view key;
  double after;
};

TEST(KeyHash, HashesRowsAsItHashesKeys) {
  const KeyHash hash{7};
  for (const std::size_t rows : {0U, 1U, 63U, 64U, 65U, 300U}) {
    const std::string bytes(1000, 'k');
    std::vector<Row> table;
    std::vector<std::uint64_t> expected;
    for (std::size_t row = 0; row < rows; ++row) {
      table.push_back({0, std::string_view{bytes}.substr(0, row * 37 % 301), 0});
      expected.push_back(hash(table.back().key));
    }
    std::vector<std::uint64_t> hashes(rows);
    if (rows > 0) hash.hash_rows(&table.front().key, sizeof(Row), hashes);
    EXPECT_EQ(hashes, expected);
  }
}

TEST(KeyHash, DependsOnTheSeed) { EXPECT_NE(KeyHash{1}("key"), KeyHash{2}("key")); }

}  // namespace
}  // namespace hotkeyd
