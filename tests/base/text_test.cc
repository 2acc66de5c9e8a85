#include "base/text.h"

#include <gtest/gtest.h>

namespace hotkeyd {
namespace {

using namespace std::string_literals;

std::string json(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(RedisEscape, EscapesEveryByteAsRedisPrintsIt) {
  EXPECT_EQ(redis_escape("a\"\\\n\r\t\a\b'b"), R"(a\"\\\n\r\t\a\b'b)");
  EXPECT_EQ(redis_escape("\0\x1b\x1f\x7f\x80\xff"s), R"(\x00\x1b\x1f\x7f\x80\xff)");
  EXPECT_EQ(redis_escape(" ~"), " ~");
  EXPECT_EQ(redis_escape(""), "");
}

TEST(RedisEscape, CutsAtAWholeEscape) {
  EXPECT_EQ(redis_escape("ab\xff", 6), R"(ab\xff)");
  EXPECT_EQ(redis_escape("ab\xff", 5), "ab");
  EXPECT_EQ(redis_escape("ab\xff"
                         "c",
                         3),
            "ab");
  EXPECT_EQ(redis_escape("\n", 1), "");
  EXPECT_EQ(redis_escape("abc", 0), "");
}

TEST(Utf8, TakesWhatTheStandardAllows) {
  for (const std::string& good :
       {""s, "a\0b"s, "\x7f"s, "\xc2\x80"s, "\xdf\xbf"s, "\xe0\xa0\x80"s, "\xed\x9f\xbf"s, "\xee\x80\x80"s,
        "\xef\xbf\xbf"s, "\xf0\x90\x80\x80"s, "\xf4\x8f\xbf\xbf"s}) {
    EXPECT_TRUE(is_valid_utf8(good)) << redis_escape(good);
  }
}

TEST(Utf8, RefusesOverlongSurrogateUnfinishedAndTooLargeForms) {
  for (const std::string& bad : {"\x80"s,         "\xbf"s,          "\xc0\x80"s,         "\xc1\xbf"s,
                                 "\xc2"s,         "\xc2("s,         "\xe0\x9f\xbf"s,     "\xe2\x82"s,
                                 "\xe2\x82("s,    "\xed\xa0\x80"s,  "\xed\xbf\xbf"s,     "\xf0\x8f\xbf\xbf"s,
                                 "\xf0\x9f\x94"s, "\xf0\x9f\x94("s, "\xf4\x90\x80\x80"s, "\xf5\x80\x80\x80"s,
                                 "\xfe"s,         "\xff"s,          "ok\xffok"s,         "a\xc3"s}) {
    EXPECT_FALSE(is_valid_utf8(bad)) << redis_escape(bad);
  }
}

TEST(JsonString, EscapesQuotesBackslashesAndControls) {
  EXPECT_EQ(json("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(json("\0\n\r\t\x1f\x7f"s), R"("\u0000\u000a\u000d\u0009\u001f\u007f")");
  EXPECT_EQ(json("\xc2\x80\xc2\x85\xc2\x9f"), R"("\u0080\u0085\u009f")");
  EXPECT_EQ(json("\xc2\xa0\xc3\xa9\xf0\x9f\x94\xa5"), "\"\xc2\xa0\xc3\xa9\xf0\x9f\x94\xa5\"");
}

TEST(Base64, EncodesTheExamplesOfTheRfc) {
  const std::vector<std::pair<std::string, std::string>> examples{{"", ""},
                                                                  {"f", "Zg=="},
                                                                  {"fo", "Zm8="},
                                                                  {"foo", "Zm9v"},
                                                                  {"foob", "Zm9vYg=="},
                                                                  {"fooba", "Zm9vYmE="},
                                                                  {"foobar", "Zm9vYmFy"},
                                                                  {"\xff\0\xc3("s, "/wDDKA=="},
                                                                  {"\xfb\xef\xbe", "++++"}};
  for (const auto& [bytes, text] : examples) {
    EXPECT_EQ(base64_encode(bytes), text);
    EXPECT_EQ(base64_decode(text), bytes);
  }
}

TEST(Base64, RoundTripsEveryByte) {
  std::string bytes;
  for (int i = 0; i < 512; ++i) bytes += static_cast<char>(i * 7);
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    EXPECT_EQ(base64_decode(base64_encode(bytes.substr(0, size))), bytes.substr(0, size));
  }
}

TEST(Base64, RefusesEverythingElse) {
  for (const std::string& bad : {"A"s, "AA"s, "AAA"s, "A==="s, "===="s, "AA=A"s, "=AAA"s, "AA==AAAA"s,
                                 "AA-_"s, "AA A"s, "AAA\n"s, "AAA\xff"s, "AA\0A"s}) {
    EXPECT_FALSE(base64_decode(bad)) << redis_escape(bad);
  }
}

TEST(ParseUnsigned, TakesDecimalsBelow2To63) {
  EXPECT_EQ(parse_unsigned("0"), 0U);
  EXPECT_EQ(parse_unsigned("007"), 7U);
  EXPECT_EQ(parse_unsigned("00000000000000000000000000000000009"), 9U);
  EXPECT_EQ(parse_unsigned("9223372036854775807"), (1ULL << 63) - 1);
}

TEST(ParseUnsigned, RefusesEverythingElse) {
  for (const std::string& bad :
       {""s, "-1"s, "+1"s, " 1"s, "1 "s, "1.0"s, "1e3"s, "0x1"s, "a"s, "9223372036854775808"s,
        "18446744073709551616"s, "99999999999999999999999"s, "1\0"s, "\xb2"s}) {
    EXPECT_FALSE(parse_unsigned(bad)) << redis_escape(bad);
  }
}

TEST(Names, AreOneTo128LettersDigitsAndAFewSigns) {
  EXPECT_TRUE(is_valid_name("A-z_0.9"));
  EXPECT_TRUE(is_valid_name(std::string(128, 'n')));
  EXPECT_TRUE(is_valid_producer("cart:web-17/47.1_1"));
  for (const std::string& bad :
       {""s, "\0"s, "a b"s, "a|b"s, "a*"s, "\xff"s, "{}"s, "a\r\n"s, "\xc3\xa9"s, std::string(129, 'n')}) {
    EXPECT_FALSE(is_valid_name(bad)) << redis_escape(bad);
    EXPECT_FALSE(is_valid_producer(bad)) << redis_escape(bad);
  }
  EXPECT_FALSE(is_valid_name("a:b"));
  EXPECT_FALSE(is_valid_name("a/b"));
}

TEST(IgnoreCase, ComparesAsciiLettersOnly) {
  EXPECT_TRUE(equals_ignore_case("HotKey", "hOTkEY"));
  EXPECT_FALSE(equals_ignore_case("hotkey", "hotkeys"));
  EXPECT_FALSE(equals_ignore_case("[", "{"));
  EXPECT_FALSE(equals_ignore_case("\xc4", "\xe4"));
  EXPECT_EQ(to_lower("HELLO @[\xc4"), "hello @[\xc4");
}

TEST(Rfc3339, PrintsUtcWithMilliseconds) {
  EXPECT_EQ(rfc3339(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(rfc3339(1'796'053'922'113), "2026-11-30T15:52:02.113Z");
  EXPECT_EQ(rfc3339(951'782'400'007), "2000-02-29T00:00:00.007Z");
  EXPECT_EQ(rfc3339(-1), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(rfc3339(253'402'300'799'999), "9999-12-31T23:59:59.999Z");
}

}  // namespace
}  // namespace hotkeyd
