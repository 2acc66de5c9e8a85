#include "detector/untouched_array.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "detector/candidate_record.h"

namespace hotkeyd {
namespace {

TEST(UntouchedArray, IsAlignedForItsElements) {
  UntouchedArray<Record> records(3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&records[0]) % alignof(Record), 0U);
}

TEST(UntouchedArray, KeepsWhatIsAssigned) {
  UntouchedArray<std::uint64_t> numbers(100'000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  std::uint64_t sum = 0;
  for (const std::uint64_t number : numbers.all()) sum += number;
  EXPECT_EQ(sum, 99'999ULL * 100'000 / 2);
}

TEST(UntouchedArray, MayBeEmpty) {
  UntouchedArray<std::uint64_t> none(0);
  EXPECT_TRUE(none.all().empty());
}

}  // namespace
}  // namespace hotkeyd
