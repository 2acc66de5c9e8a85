#include "detector/orders.h"

#include <gmock/gmock.h>

#include <string>

namespace hotkeyd {
namespace {

using testing::ElementsAre;

TEST(OrderBook, ANewOrderReplacesTheEndOfTheOlderOne) {
  OrderBook book(3);
  ASSERT_TRUE(book.give("k", 300, 0));
  ASSERT_TRUE(book.give("k", 900, 100));
  EXPECT_THAT(book.end_expired(899), ElementsAre());
  EXPECT_THAT(book.end_expired(900), ElementsAre("k"));
  ASSERT_TRUE(book.give("k", 950, 900));
  ASSERT_TRUE(book.give("k", std::nullopt, 910));
  EXPECT_THAT(book.end_expired(1'000'000), ElementsAre());
}

TEST(OrderBook, EndsOrdersInTheOrderOfTheirKeys) {
  OrderBook book(9);
  for (const char* key : {"c", "a", "b"}) ASSERT_TRUE(book.give(key, 10, 0));
  ASSERT_TRUE(book.give("later", 20, 0));
  EXPECT_THAT(book.end_expired(10), ElementsAre("a", "b", "c"));
  EXPECT_THAT(book.end_expired(20), ElementsAre("later"));
}

TEST(OrderBook, EndsEachAtItsTimeWhateverTheOrderOfTheKeys) {
  OrderBook book(9);
  ASSERT_TRUE(book.give("a", 10, 0) && book.give("b", 20, 0));
  ASSERT_TRUE(book.give("c", 40, 0) && book.give("d", 30, 0));
  EXPECT_THAT(book.end_expired(10), ElementsAre("a"));
  EXPECT_THAT(book.end_expired(20), ElementsAre("b"));
  EXPECT_THAT(book.end_expired(30), ElementsAre("d"));
  EXPECT_THAT(book.end_expired(40), ElementsAre("c"));
}

TEST(OrderBook, EndsAnOrderThatWasGivenLaterAndEndsEarlier) {
  OrderBook book(9);
  ASSERT_TRUE(book.give("late", 20, 0) && book.give("early", 10, 0));
  EXPECT_THAT(book.end_expired(10), ElementsAre("early"));
  EXPECT_THAT(book.end_expired(20), ElementsAre("late"));
}

TEST(OrderBook, RefusesOneMoreThanItsLimitAndKeepsTheOthers) {
  OrderBook book(2);
  ASSERT_TRUE(book.give("a", std::nullopt, 0) && book.give("b", std::nullopt, 0));
  const auto refused = book.give("c", std::nullopt, 0);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), testing::StartsWith("order limit (2) reached"));
  EXPECT_TRUE(book.give("a", 5, 0));
  EXPECT_THAT(book.keys(), ElementsAre("a", "b"));
}

TEST(OrderBook, RefusesMoreThanFourMegabytesOfKeys) {
  OrderBook book(10'000);
  for (int i = 0; i < 64; ++i) {
    ASSERT_TRUE(book.give(std::string(65'536, static_cast<char>('A' + i)), std::nullopt, 0));
  }
  const auto refused = book.give("k", std::nullopt, 0);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), testing::StartsWith("order limit (4 MiB"));
  book.take_back(std::string(65'536, 'A'));
  EXPECT_TRUE(book.give("k", std::nullopt, 0));
  EXPECT_EQ(book.key_bytes(), 63U * 65'536 + 1);
}

}  // namespace
}  // namespace hotkeyd
