#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "resp/request_parser.h"
#include "resp/writer.h"
#include "tests/resp/request_reader.h"

namespace hotkeyd {
namespace {

using namespace std::string_literals;

const std::vector<std::string>& streams() {
  static const std::vector<std::string> streams = {
      "*3\r\n$3\r\nSET\r\n$5\r\na\r\nb \r\n$0\r\n\r\n*1\r\n$4\r\nPING\r\n",
      "PING\r\n\r\n*0\r\n*-1\r\nECHO \"a \\x41\\n\" 'it\\'s' x\"y "
      "z\"\n*2\r\n$4\r\nECHO\r\n$12\r\n*1\r\n$4\r\nPING\r\n",
      "*2\r\n$10\r\n0123456789\r\n$1\r\nx\r\n*1\r\n$+4\r\nPING\r\n",
      "*1\r\n$4\r\nPING\r\n*1\r\n:4\r\n",
      "*2\rX$3\rYGETxy$1\r\nkzz",
      "   \r\n  a\tb\r\n\"unbalanced\r\nPING\r\n",
      "PING\r\nA\0B\r\nPING\r\n"s,
      "*\r\n",
      "*12345678901234567890123\r\n",
      "*1\r\n$00000000000000000001\r\nx\r\n",
      "*4\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n$1\r\nd\r\n*1\r\n$1\r\n\r\r\n*1\r\n$2\r\n\r\n\r\n\r\n",
  };
  return streams;
}

TEST(RequestSplit, ReadsTheSameInTwoPiecesWhereverTheCutIs) {
  for (const auto& stream : streams()) {
    const Requests whole = read_whole(stream);
    for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
      RequestReader reader;
      reader.feed(stream.substr(0, cut));
      reader.feed(stream.substr(cut));
      EXPECT_EQ(reader.read(), whole) << "cut at " << cut << " of " << stream;
    }
  }
}

TEST(RequestSplit, ReadsTheSameInPiecesOfEverySize) {
  for (const auto& stream : streams()) {
    for (std::size_t piece = 1; piece < stream.size(); ++piece) {
      EXPECT_EQ(read_in_pieces(stream, piece), read_whole(stream))
          << "pieces of " << piece << " of " << stream;
    }
  }
}

TEST(RequestSplit, ReadsTheSameUnderSmallLimits) {
  const RequestLimits limits{.frame_max = 24, .arguments_max = 2};
  for (const auto& stream : streams()) {
    for (std::size_t piece = 1; piece < stream.size(); ++piece) {
      EXPECT_EQ(read_in_pieces(stream, piece, limits), read_whole(stream, limits))
          << piece << " of " << stream;
    }
  }
}

// Bytes that often look like RESP: so most streams get past their first header.
std::string random_stream(Random& random) {
  static const std::vector<std::string> words = {
      "*1\r\n", "*2\r\n", "*0\r\n", "$1\r\n", "$3\r\n", "$0\r\n", "\r\n", "\r", "\n", "abc", "x\r\n",
      "\"",     "'",      "\\x4",   " ",      "\0"s,    "$",      "*",    "1",  "9",  "-1",  "\xff"};
  std::string stream;
  for (std::uint32_t n = random.below(30); n > 0; --n) {
    stream += words[random.below(static_cast<std::uint32_t>(words.size()))];
  }
  return stream;
}

TEST(RequestSplit, ReadsRandomStreamsTheSameHoweverTheyAreCut) {
  Random random(7);
  for (int round = 0; round < 5000; ++round) {
    const std::string stream = random_stream(random);
    const Requests whole = read_whole(stream, {.frame_max = 60, .arguments_max = 3});
    const Requests cut = read_in_pieces(stream, 1 + random.below(4), {.frame_max = 60, .arguments_max = 3});
    ASSERT_EQ(cut, whole) << "round " << round << ": " << stream;
  }
}

std::string large_array(std::size_t arguments) {
  std::string stream;
  append_command(stream, std::vector<std::string_view>(arguments, "12345"));
  return stream;
}

std::uint64_t examined_byte_by_byte(std::string_view stream) {
  RequestParser parser;
  for (std::size_t size = 1; size <= stream.size(); ++size) {
    if (parser.parse(stream.substr(0, size)).status == RequestParser::Status::error) break;
  }
  return parser.bytes_examined();
}

TEST(RequestSplit, LooksAtEachByteAFewTimesWhenFedByteByByte) {
  const std::vector<std::string> costly = {
      large_array(30'000),                              // Many headers.
      "*1\r\n$300000\r\n" + std::string(300'000, 'x'),  // One large bulk.
      std::string(65'535, 'x'),                         // An unterminated line.
      "\0"s + std::string(65'000, '\n'),                // One that never ends.
      "*1\r\n$" + std::string(65'000, '1'),             // An unterminated header.
      "*" + std::string(65'000, '1') + "\r",            // One that lacks its last byte.
  };
  for (const auto& stream : costly) {
    EXPECT_LE(examined_byte_by_byte(stream), 4 * stream.size()) << stream.substr(0, 20);
  }
}

TEST(RequestSplit, LooksAtPayloadNotAtAll) {
  const std::string stream = "*1\r\n$300000\r\n" + std::string(300'000, 'x') + "\r\n";
  RequestParser parser;
  EXPECT_EQ(parser.parse(stream).status, RequestParser::Status::request);
  EXPECT_LE(parser.bytes_examined(), 20U);
}

}  // namespace
}  // namespace hotkeyd
