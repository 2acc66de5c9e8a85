#include "cli/load_note.h"

#include <gtest/gtest.h>

#include <string_view>

namespace hotkeyd {
namespace {

TEST(LoadNote, ComesBackAsItWasSent) {
  LoadNote done;
  done.recorded = 18;
  done.acknowledged = 10;
  done.dropped = 5;
  done.pending = 3;
  LoadNote trouble;
  trouble.kind = LoadNote::Kind::trouble;
  trouble.text = "no daemon at /s: refused";
  LoadNote hot;
  hot.kind = LoadNote::Kind::hot;
  hot.at_ns = 123'456'789'012'345;
  for (const LoadNote& note : {done, trouble, hot}) {
    const std::string line = encode_note(note);
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    EXPECT_EQ(decode_note(line.substr(0, line.size() - 1)), note) << line;
  }
}

TEST(LoadNote, StaysOneLineWhateverTheTrouble) {
  LoadNote trouble;
  trouble.kind = LoadNote::Kind::trouble;
  trouble.text = "a\nb\x1b" + std::string(10'000, 'x');
  const std::string line = encode_note(trouble);
  EXPECT_TRUE(line.starts_with("trouble a\\nb\\x1bxxx"));
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_LE(line.size(), 1024U);
}

TEST(LoadNote, IsNothingWhenItIsDamaged) {
  for (const std::string_view line :
       {"", "nosuch 1", "hot", "hot x", "done 1 2 3", "done 1 2 3 x", "Hot 1"}) {
    EXPECT_FALSE(decode_note(line)) << line;
  }
}

}  // namespace
}  // namespace hotkeyd
