#include "cli/key_press.h"

#include <gtest/gtest.h>

#include <string>

namespace hotkeyd {
namespace {

using Kind = KeyPress::Kind;
using Presses = std::vector<KeyPress>;

// gtest prints the kinds as numbers.
Presses read(std::string_view bytes) { return KeyReader().read(bytes); }

TEST(KeyPress, ReadsTextEnterAndBackspace) {
  EXPECT_EQ(read("aZ /\r\n\x7f\b"), (Presses{{Kind::text, 'a'},
                                             {Kind::text, 'Z'},
                                             {Kind::text, ' '},
                                             {Kind::text, '/'},
                                             {Kind::enter},
                                             {Kind::enter},
                                             {Kind::backspace},
                                             {Kind::backspace}}));
}

TEST(KeyPress, ReadsArrowsAndPagesHoweverTheTerminalNamesThem) {
  EXPECT_EQ(read("\x1b[A\x1bOB\x1b[5~\x1b[6~\x1b[H\x1b[1~\x1bOF\x1b[4~"), (Presses{{Kind::up},
                                                                                   {Kind::down},
                                                                                   {Kind::page_up},
                                                                                   {Kind::page_down},
                                                                                   {Kind::home},
                                                                                   {Kind::home},
                                                                                   {Kind::end},
                                                                                   {Kind::end}}));
}

TEST(KeyPress, ReadsASequenceThatComesAByteAtATime) {
  KeyReader reader;
  EXPECT_EQ(reader.read("\x1b"), Presses{});
  EXPECT_TRUE(reader.is_waiting());
  EXPECT_EQ(reader.read("["), Presses{});
  EXPECT_EQ(reader.read("A"), Presses{{Kind::up}});
  EXPECT_FALSE(reader.is_waiting());
}

TEST(KeyPress, TakesALoneEscapeForTheKeyOnceNothingFollows) {
  KeyReader reader;
  EXPECT_EQ(reader.read("\x1b"), Presses{});
  EXPECT_EQ(reader.idle(), Presses{{Kind::escape}});
  EXPECT_EQ(reader.idle(), Presses{});
  EXPECT_EQ(read("\x1bq"), (Presses{{Kind::escape}, {Kind::text, 'q'}}));
}

TEST(KeyPress, DropsWhatItDoesNotKnow) {
  EXPECT_EQ(read("\x01\x02\x1b[1;5A\x1b[15~\x1b[Zq"), Presses({{Kind::text, 'q'}}));
  EXPECT_EQ(read("\x1b[" + std::string(100'000, '1') + "~q"), Presses({{Kind::text, 'q'}}));
}

TEST(KeyPress, PassesBytesBeyondAsciiOn) {
  EXPECT_EQ(read("\xc3\xa9"), (Presses{{Kind::text, '\xc3'}, {Kind::text, '\xa9'}}));
}

}  // namespace
}  // namespace hotkeyd
