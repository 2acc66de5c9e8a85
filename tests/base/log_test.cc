#include "base/log.h"

#include <gtest/gtest.h>

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

std::string logfmt(LogFields fields) {
  return log_line(LogFormat::logfmt, LogLevel::info, "promoted", fields);
}
std::string json(LogFields fields) { return log_line(LogFormat::json, LogLevel::error, "promoted", fields); }

TEST(LogLine, WritesLogfmtWithQuotesWhereNeeded) {
  EXPECT_EQ(logfmt({}), "level=info event=promoted");
  EXPECT_EQ(logfmt({{"key", "user:42"}, {"rate", 1003}, {"empty", ""}, {"text", "a b"}}),
            "level=info event=promoted key=user:42 rate=1003 empty=\"\" text=\"a b\"");
}

TEST(LogLine, LetsNoHostileValueForgeAFieldOrALine) {
  EXPECT_EQ(logfmt({{"key", "x\nlevel=error event=fake"}}),
            R"(level=info event=promoted key="x\nlevel=error event=fake")");
  EXPECT_EQ(logfmt({{"key", "k\" level=\"error"}}), R"(level=info event=promoted key="k\" level=\"error")");
  EXPECT_EQ(logfmt({{"key", "a=b"}}), R"(level=info event=promoted key="a=b")");
  EXPECT_EQ(logfmt({{"key", "a\\"}}), R"(level=info event=promoted key="a\\")");
  EXPECT_EQ(logfmt({{"key", std::string_view("\x1b[31m\0\x9b\xff", 8)}}),
            R"(level=info event=promoted key="\x1b[31m\x00\x9b\xff")");
}

TEST(LogLine, WritesJson) {
  EXPECT_EQ(json({{"key", "a\"\nb\x7f"}, {"n", 7}}),
            R"({"level":"error","event":"promoted","key":"a\"\u000ab\u007f","n":"7"})");
  EXPECT_EQ(json({{"key", "\xff"}}), R"({"level":"error","event":"promoted","key":"\\xff"})");
}

TEST(LogLevel, ReadsItsNamesAndWarn) {
  for (const auto level : {LogLevel::debug, LogLevel::info, LogLevel::warning, LogLevel::error}) {
    EXPECT_EQ(*parse_log_level(to_string(level)), level);
  }
  EXPECT_EQ(*parse_log_level("warn"), LogLevel::warning);
  EXPECT_FALSE(parse_log_level("INFO"));
  EXPECT_EQ(parse_log_level("loud").error(), "log level must be debug, info, warning or error");
}

TEST(LogLevel, StaysAsSet) {
  const LogLevel before = log_level();
  for (const auto level : {LogLevel::debug, LogLevel::warning, LogLevel::error, LogLevel::info}) {
    set_log_level(level);
    EXPECT_EQ(log_level(), level);
  }
  set_log_level(before);
}

TEST(LogLimiter, LetsOneMessageThroughPerPeriodAndCountsTheRest) {
  LogLimiter limiter(10s);
  const Time start{};
  EXPECT_TRUE(limiter.allow(start));
  EXPECT_EQ(limiter.held_back(), 0U);
  for (int i = 1; i < 10; ++i) EXPECT_FALSE(limiter.allow(start + std::chrono::seconds(i)));
  EXPECT_TRUE(limiter.allow(start + 10s));
  EXPECT_EQ(limiter.held_back(), 9U);
  EXPECT_TRUE(limiter.allow(start + 60s));
  EXPECT_EQ(limiter.held_back(), 0U);
}

}  // namespace
}  // namespace hotkeyd
