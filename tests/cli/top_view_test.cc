#include "cli/top_view.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace hotkeyd {
namespace {

using Names = std::vector<std::string>;

TopSample sample_of(std::vector<RankedKey> keys, std::uint64_t epoch = 1) {
  TopSample sample;
  sample.epoch = epoch;
  sample.keys = std::move(keys);
  return sample;
}

TopView four_keys() {
  return sampled({}, sample_of({{"b", 90, 1, "read", "hot"},
                                {"a", 50, 7, "write", "warm"},
                                {"c", 50, 0, "miss", "denied"},
                                {"d\n", 10, 7, "read", "pinned"}}));
}

TopView typed(TopView view, std::string_view text) {
  for (const char c : text) view = pressed(std::move(view), {KeyPress::Kind::text, c});
  return view;
}

Names names(const TopView& view) {
  Names names;
  for (const ShownKey& shown : shown_keys(view)) names.push_back(std::to_string(shown.rank) + shown.key->key);
  return names;
}

TEST(TopView, ShowsTheKeysAsRankedUntilAskedForAnotherOrder) {
  EXPECT_EQ(names(four_keys()), (Names{"1b", "2a", "3c", "4d\n"}));
  EXPECT_EQ(names(typed(four_keys(), "k")), (Names{"2a", "1b", "3c", "4d\n"}));
  EXPECT_EQ(names(typed(four_keys(), "c")), (Names{"3c", "1b", "4d\n", "2a"}));
  EXPECT_EQ(names(typed(four_keys(), "s")), (Names{"3c", "1b", "4d\n", "2a"}));
  EXPECT_EQ(names(typed(four_keys(), "e")), (Names{"2a", "4d\n", "1b", "3c"}));
}

TEST(TopView, TheSameLetterAgainReversesAndAnotherStartsForward) {
  EXPECT_EQ(names(typed(four_keys(), "r")), (Names{"4d\n", "2a", "3c", "1b"}));
  EXPECT_EQ(names(typed(four_keys(), "kk")), (Names{"4d\n", "3c", "1b", "2a"}));
  EXPECT_EQ(names(typed(four_keys(), "kkk")), (Names{"2a", "1b", "3c", "4d\n"}));
  EXPECT_EQ(names(typed(four_keys(), "kkr")), (Names{"1b", "2a", "3c", "4d\n"}));
}

TEST(TopView, FiltersByTextOrGlobOfTheKeyOrOfWhatIsPrinted) {
  EXPECT_EQ(names(typed(four_keys(), "/a")), (Names{"2a"}));
  EXPECT_EQ(names(typed(four_keys(), "/[a-b]")), (Names{"1b", "2a"}));
  EXPECT_EQ(names(typed(four_keys(), "/d\\n")), (Names{"4d\n"}));
  EXPECT_EQ(names(typed(four_keys(), "/?")), (Names{"1b", "2a", "3c"}));
  EXPECT_EQ(names(typed(four_keys(), "/none")), Names{});
}

TEST(TopView, LettersGoIntoTheFilterWhileItIsEdited) {
  const TopView view = typed(four_keys(), "/qkp");
  EXPECT_EQ(view.filter, "qkp");
  EXPECT_FALSE(view.is_done || view.is_paused);
  EXPECT_EQ(view.order, TopOrder::rate);
}

TEST(TopView, EnterKeepsTheFilterBackspaceTakesACharacterEscapeAll) {
  TopView view = typed(four_keys(), "/x\xc3\xa9");
  view = pressed(view, {KeyPress::Kind::backspace});
  EXPECT_EQ(view.filter, "x");
  view = typed(pressed(view, {KeyPress::Kind::enter}), "k");
  EXPECT_EQ(view.filter, "x");
  EXPECT_EQ(view.order, TopOrder::key);
  EXPECT_EQ(typed(view, "/y").filter, "xy") << "edited further";
  view = pressed(view, {KeyPress::Kind::escape});
  EXPECT_EQ(view.filter, "");
  EXPECT_FALSE(view.edits_filter);
  EXPECT_EQ(pressed(typed({}, "/"), {KeyPress::Kind::backspace}).filter, "");
}

TEST(TopView, TakesNoMoreFilterThanItsLimit) {
  EXPECT_EQ(typed({}, "/" + std::string(1000, 'x')).filter.size(), TopView::kFilterMax);
}

TEST(TopView, APauseKeepsTheSampleAndStillSorts) {
  TopView view = typed(four_keys(), "p");
  view = sampled(std::move(view), sample_of({{"new", 1, 0, "read", "hot"}}));
  EXPECT_EQ(names(typed(view, "k")), (Names{"2a", "1b", "3c", "4d\n"}));
  view = sampled(typed(std::move(view), " "), sample_of({{"new", 1, 0, "read", "hot"}}));
  EXPECT_EQ(names(view), (Names{"1new"}));
}

TEST(TopView, SaysThatTheDaemonWasRestartedUntilAKeyIsPressed) {
  TopView view = four_keys();
  EXPECT_EQ(view.notice, "");
  view.trouble = "lost the daemon";
  view = sampled(std::move(view), sample_of({}, 2));
  EXPECT_EQ(view.trouble, "");
  EXPECT_EQ(view.notice, "reconnected: the daemon was restarted");
  view = sampled(pressed(std::move(view), {KeyPress::Kind::up}), sample_of({}, 2));
  EXPECT_EQ(view.notice, "");
}

TEST(TopView, SaysItOnceWhilePausedToo) {
  TopView view = sampled(typed(four_keys(), "p"), sample_of({}, 2));
  EXPECT_NE(view.notice, "");
  EXPECT_EQ(sampled(pressed(std::move(view), {KeyPress::Kind::up}), sample_of({}, 2)).notice, "");
}

TEST(TopView, ScrollsWithinTheKeys) {
  TopView view = four_keys();
  view.page = 3;
  EXPECT_EQ(pressed(view, {KeyPress::Kind::up}).first, 0U);
  EXPECT_EQ(pressed(view, {KeyPress::Kind::down}).first, 1U);
  EXPECT_EQ(pressed(pressed(view, {KeyPress::Kind::down}), {KeyPress::Kind::down}).first, 1U)
      << "the last key is in sight";
  EXPECT_EQ(pressed(view, {KeyPress::Kind::page_down}).first, 1U);
  EXPECT_EQ(pressed(view, {KeyPress::Kind::end}).first, 1U);
  view.page = 1;
  EXPECT_EQ(pressed(view, {KeyPress::Kind::end}).first, 3U);
  EXPECT_EQ(pressed(pressed(view, {KeyPress::Kind::end}), {KeyPress::Kind::home}).first, 0U);
  EXPECT_EQ(pressed(pressed(view, {KeyPress::Kind::end}), {KeyPress::Kind::page_up}).first, 2U);
}

TEST(TopView, AnyKeyLeavesTheHelpAndQQuits) {
  const TopView help = typed({}, "h");
  EXPECT_TRUE(help.shows_help);
  EXPECT_FALSE(typed(help, "p").shows_help || typed(help, "p").is_paused);
  EXPECT_TRUE(typed(help, "q").is_done);
  EXPECT_TRUE(typed({}, "q").is_done);
}

TEST(TopView, AnyKeyIsFineWithoutASample) {
  for (int c = ' '; c < 256; ++c) typed({}, std::string(2, static_cast<char>(c)));
  for (const KeyPress::Kind kind : {KeyPress::Kind::up, KeyPress::Kind::down, KeyPress::Kind::page_up,
                                    KeyPress::Kind::page_down, KeyPress::Kind::home, KeyPress::Kind::end})
    EXPECT_EQ(pressed({}, {kind}).first, 0U);
}

}  // namespace
}  // namespace hotkeyd
