#include "server/output_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hotkeyd {
namespace {

using Kind = OutputBuffer::Kind;

SharedBytes bytes(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

// Takes the output as a socket would that accepts `step` bytes a write.
std::string drain(OutputBuffer& output, std::size_t step) {
  std::string out;
  while (!output.empty()) {
    std::array<std::string_view, 3> pieces;
    const std::size_t count = output.gather(pieces, 1 << 20);
    std::string joined;
    for (std::size_t i = 0; i < count; ++i) joined += pieces[i];
    joined.resize(std::min(joined.size(), step));
    out += joined;
    output.consume(joined.size());
  }
  return out;
}

void fill(OutputBuffer& output) {
  output.replies() += "+one\r\n";
  output.share(Kind::event, bytes("[event]"));
  output.share(Kind::snapshot, bytes("[snapshot]"));
  output.replies() += "+two\r\n";
  output.share(Kind::event, bytes("[another]"));
  output.replies() += "+three\r\n";
}

TEST(OutputBuffer, KeepsTheOrderWhateverTheSocketTakes) {
  for (std::size_t step = 1; step < 60; ++step) {
    OutputBuffer output;
    fill(output);
    EXPECT_EQ(drain(output, step), "+one\r\n[event][snapshot]+two\r\n[another]+three\r\n");
    EXPECT_EQ(output.size(), 0U);
  }
}

TEST(OutputBuffer, KnowsItsSizeByKind) {
  OutputBuffer output;
  fill(output);
  EXPECT_EQ(output.size(Kind::reply), 6U + 6 + 8);
  EXPECT_EQ(output.size(Kind::event), 7U + 9);
  EXPECT_EQ(output.size(Kind::snapshot), 10U);
  output.consume(6 + 3);
  EXPECT_EQ(output.size(Kind::reply), 6U + 8);
  EXPECT_EQ(output.size(Kind::event), 4U + 9);
}

TEST(OutputBuffer, TakesRepliesBehindAPartlyWrittenOne) {
  OutputBuffer output;
  output.replies() = "abcdef";
  output.consume(2);
  output.replies() += "gh";
  EXPECT_EQ(drain(output, 100), "cdefgh");
}

TEST(OutputBuffer, GathersNoMoreThanAskedFor) {
  OutputBuffer output;
  for (int i = 0; i < 10; ++i) output.share(Kind::event, bytes("1234567890"));
  std::array<std::string_view, 8> pieces;
  EXPECT_EQ(output.gather(pieces, 25), 3U);
  EXPECT_EQ(output.gather(pieces, 1000), 8U);
}

TEST(OutputBuffer, SharesBytesInsteadOfCopyingThem) {
  const SharedBytes shared = bytes("event");
  OutputBuffer one;
  OutputBuffer two;
  one.share(Kind::event, shared);
  two.share(Kind::event, shared);
  std::array<std::string_view, 1> pieces;
  one.gather(pieces, 100);
  EXPECT_EQ(pieces[0].data(), shared->data());
  EXPECT_EQ(shared.use_count(), 3);
}

}  // namespace
}  // namespace hotkeyd
