#include "sources/parse_monitor.h"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/source_dir.h"

namespace hotkeyd {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;
using testing::Pair;
using namespace std::string_literals;

struct Seen {
  UnixUs time = 0;
  std::string key;
  AccessKind kind = AccessKind::read;
  std::uint64_t bytes = 0;

  bool operator==(const Seen&) const = default;
};

void PrintTo(const Seen& seen, std::ostream* out) {
  *out << seen.time << " '" << seen.key << "' kind " << static_cast<int>(seen.kind) << ", " << seen.bytes
       << " bytes";
}

Seen seen(const ParsedAccess& access) {
  return {access.time, std::string(access.key), access.kind, access.bytes};
}

std::vector<Seen> parse(std::string_view text, std::uint64_t cut = 0) {
  MonitorParser parser;
  const auto accesses = parser.parse({text, 1, cut});
  if (!accesses) return {{0, accesses.error()}};
  std::vector<Seen> all;
  for (const ParsedAccess& access : *accesses) all.push_back(seen(access));
  return all;
}

constexpr UnixUs kLineTime = 1'796'052'153'073'128;
const std::string kHeader = "1796052153.073128 [0 127.0.0.1:60974] ";

Seen read(std::string key) { return {kLineTime, std::move(key), AccessKind::read, 0}; }
Seen write(std::string key, std::uint64_t bytes = 0) {
  return {kLineTime, std::move(key), AccessKind::write, bytes};
}

std::string monitor_error(std::string_view text) {
  MonitorLine line;
  const auto parsed = parse_monitor_line(text, false, line);
  return parsed ? "none" : parsed.error();
}

const std::string kNoHeader =
    "it does not begin as a line of MONITOR, with 'time [database source] \"command\"'";
const std::string kNoQuote = "an argument has no closing quote: the line is cut or damaged";

TEST(ParseMonitor, ReadsALineWithAndWithoutPlus) {
  EXPECT_THAT(parse(kHeader + R"("GET" "plain")"), ElementsAre(read("plain")));
  EXPECT_THAT(parse("+" + kHeader + R"("get" "plain")"), ElementsAre(read("plain")));
  EXPECT_THAT(parse(kHeader + R"("SET" "plain" "a\x00\"b")"), ElementsAre(write("plain", 4)));
  EXPECT_THAT(parse(kHeader + R"("MSET" "a" "12" "b" "")"), ElementsAre(write("a", 2), write("b", 0)));
}

TEST(ParseMonitor, ReadsTheHeaderFromTheLeft) {
  MonitorLine line;
  for (const std::string source : {"127.0.0.1:5", "[::1]:40050", "unix:/run/my redis/7].sock", "lua", ""}) {
    const std::string text = "1.5 [15 " + source + R"(] "GET" "] [0 1.2.3.4:5] \"GET")";
    ASSERT_TRUE(parse_monitor_line(text, false, line));
    EXPECT_EQ(line.time, 1'500'000);
    EXPECT_EQ(line.db, 15U);
    EXPECT_EQ(line.source, source);
    EXPECT_THAT(line.arguments, ElementsAre("GET", R"(] [0 1.2.3.4:5] \"GET)"));
  }
}

TEST(ParseMonitor, DecodesEveryEscape) {
  EXPECT_THAT(parse(kHeader + R"("GET" "\" \\ \n \r \t \a \b \x00 \xff 'x")"),
              ElementsAre(read("\" \\ \n \r \t \a \b \0 \xff 'x"s)));
  EXPECT_THAT(parse(kHeader + R"("MGET" "a\\" "\\\"" "b\\")"),
              ElementsAre(read("a\\"), read("\\\""), read("b\\")));
  EXPECT_THAT(parse(kHeader + R"("GET" "")"), ElementsAre(read("")));
}

TEST(ParseMonitor, KeepsEveryDecodedKeyOfALine) {
  std::string text = kHeader + R"("MGET")";
  std::vector<Seen> expected;
  for (int i = 0; i < 100; ++i) {
    text += " \"\\x01" + std::to_string(i) + "\"";
    expected.push_back(read("\x01" + std::to_string(i)));
  }
  EXPECT_THAT(parse(text), ElementsAreArray(expected));
}

TEST(ParseMonitor, ReadsBareQuotesOfValkey81) {
  EXPECT_THAT(parse(kHeader + R"("INCR" "b\x00\r\n\t\a\b"\\xff\xe4\xb8\xad] [0 1.2.3.4:5] "GET")"),
              ElementsAre(write("b\0\r\n\t\a\b\"\\\xff\xe4\xb8\xad] [0 1.2.3.4:5] \"GET"s)));
  EXPECT_THAT(parse(kHeader + R"("SET" "k\" "1")"), ElementsAre(write("k\\", 1)));
  EXPECT_THAT(parse(kHeader + R"("GET" "k\")"), ElementsAre(read("k\\")));
  EXPECT_THAT(parse(kHeader + R"("SET" "k" "{"a": "b", "c": "d"}")"), ElementsAre(write("k", 20)));
}

TEST(ParseMonitor, CountsTheCallsOfAScriptAndNotItsDeclaredKeys) {
  EXPECT_THAT(parse(kHeader + R"("EVAL" "redis.call('GET',KEYS[1]);" "1" "k" "v")"), IsEmpty());
  EXPECT_THAT(parse(kHeader + R"("FCALL" "f" "1" "k")"), IsEmpty());
  EXPECT_THAT(parse(R"(1796052153.073128 [5 lua] "get" "k")"), ElementsAre(read("k")));
}

TEST(ParseMonitor, TakesWhatIsNoCommandForNoAccess) {
  for (const std::string text : {"OK", "+OK", ""}) {
    EXPECT_EQ(monitor_error(text), "none");
    EXPECT_THAT(parse(text), IsEmpty());
  }
  EXPECT_THAT(parse(kHeader + R"("PING")"), IsEmpty());
  EXPECT_THAT(parse(kHeader + R"("MODULE.GET" "k")"), IsEmpty());
}

TEST(ParseMonitor, SaysWhyALineIsBad) {
  for (const std::string text :
       {"nonsense", "x [0 a] \"GET\"", "1.5 [x a] \"GET\"", "1.5 [0 a] GET", "-1 [0 a] \"GET\"", "1.5 [0 a]",
        "1.5 [99999999999 a] \"GET\"", "999999999999 [0 a] \"GET\""}) {
    EXPECT_EQ(monitor_error(text), kNoHeader) << text;
  }
  for (const std::string arguments : {R"("GET" "cut)", R"("GET" "a"b)", R"("GET" a)", "\""}) {
    EXPECT_EQ(monitor_error(kHeader + arguments), kNoQuote) << arguments;
  }
}

TEST(ParseMonitor, KnowsKeyAndSizeOfACutLine) {
  EXPECT_THAT(parse(kHeader + R"("SET" "k" "0123)", 1000), ElementsAre(write("k", 1004)));
  EXPECT_THAT(parse(kHeader + R"("MSET" "a" "12" "b" "3)", 10), ElementsAre(write("a", 2), write("b", 11)));
  EXPECT_THAT(parse(kHeader + R"("RPUSH" "k" "0123" )", 10), ElementsAre(write("k")));
  EXPECT_THAT(parse(kHeader + R"("RPUSH" "k" "0123")", 10), ElementsAre(write("k")));
}

// The accesses of a recorded dump, from the first to the last.
std::vector<std::pair<std::string, AccessKind>> replay(const std::string& name) {
  std::ifstream file(HOTKEYD_SOURCE_DIR "/tests/data/monitor/" + name, std::ios::binary);
  LineSplitter splitter;
  splitter.feed(std::string(std::istreambuf_iterator<char>(file), {}));
  splitter.finish();
  MonitorParser parser;
  std::vector<std::pair<std::string, AccessKind>> all;
  while (const auto line = splitter.next()) {
    const auto accesses = parser.parse(*line);
    if (!accesses) {
      ADD_FAILURE() << line->number << ": " << accesses.error();
      continue;
    }
    for (const ParsedAccess& access : *accesses) all.emplace_back(access.key, access.kind);
  }
  return all;
}

TEST(ParseMonitor, ReadsTheDumpsOfRealServers) {
  constexpr auto kRead = AccessKind::read;
  constexpr auto kWrite = AccessKind::write;
  const std::string binary = "b\0\r\n\t\a\b\"\\\xff\xe4\xb8\xad] [0 1.2.3.4:5] \"GET"s;
  const std::vector<std::pair<std::string, AccessKind>> expected = {{"plain", kWrite},
                                                                    {"plain", kRead},
                                                                    {"inline quoted key", kWrite},
                                                                    {"plain", kRead},
                                                                    {"plain", kRead},
                                                                    {"", kRead},
                                                                    {binary, kWrite},
                                                                    {binary, kWrite},
                                                                    {binary, kRead},
                                                                    {"single'quote", kRead},
                                                                    {"key with space", kRead},
                                                                    {"\xe9\x94\xae", kRead},
                                                                    {"indb9", kRead},
                                                                    {"indb9", kWrite},
                                                                    {"a", kRead},
                                                                    {"b", kWrite},
                                                                    {"biglong", kWrite},
                                                                    {"12345", kWrite},
                                                                    {"l", kWrite},
                                                                    {"tx", kWrite},
                                                                    {"tx", kRead},
                                                                    {"luakey", kWrite},
                                                                    {"undeclared", kRead},
                                                                    {"fkey", kRead},
                                                                    {"tx", kWrite},
                                                                    {"l", kRead},
                                                                    {"emptyq", kWrite},
                                                                    {"blkq", kWrite},
                                                                    {"blkq", kWrite},
                                                                    {"ex", kWrite},
                                                                    {"px", kWrite},
                                                                    {"px", kWrite},
                                                                    {"gs", kWrite},
                                                                    {"se", kWrite},
                                                                    {"viaunix", kRead},
                                                                    {"via6", kRead}};
  EXPECT_THAT(replay("redis70.txt"), ElementsAreArray(expected));
  EXPECT_THAT(replay("valkey81.txt"), ElementsAreArray(expected));
}

}  // namespace
}  // namespace hotkeyd
