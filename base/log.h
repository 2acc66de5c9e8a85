// The log: one logfmt line per event on standard error, for example
//   level=info event=listening address=unix:///run/hotkeyd/hotkeyd.sock
//
// Values are quoted where needed and escaped as Redis escapes strings, so that a hostile key can neither
// start a line of its own nor reach a terminal raw. Event names are past-tense verbs. Any thread may log.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/clock.h"
#include "base/result.h"

namespace hotkeyd {

enum class LogLevel { debug, info, warning, error };

// "debug", "info", "warning" (or "warn"), "error".
Result<LogLevel> parse_log_level(std::string_view text);
std::string_view to_string(LogLevel level);
void set_log_level(LogLevel level);
LogLevel log_level();
enum class LogFormat { logfmt, json };
void set_log_format(LogFormat format);

struct LogField {
  LogField(std::string_view field_name, std::string_view text) : name(field_name), value(text) {}
  LogField(std::string_view field_name, const char* text) : name(field_name), value(text) {}
  LogField(std::string_view field_name, const std::string& text) : name(field_name), value(text) {}
  template <typename Number>
  requires std::is_arithmetic_v<Number> LogField(std::string_view field_name, Number number)
      : name(field_name), value(std::to_string(number)) {}

  std::string_view name;
  std::string value;
};

using LogFields = std::initializer_list<LogField>;
void log_debug(std::string_view event, LogFields fields = {});
void log_info(std::string_view event, LogFields fields = {});
void log_warning(std::string_view event, LogFields fields = {});
void log_error(std::string_view event, LogFields fields = {});

// One line without level and newline, as log_* writes it: `event=promoted key="user:42"`. Exposed for tests.
std::string log_line(LogFormat format, LogLevel level, std::string_view event, LogFields fields);

// Lets a message pass at most once per `period`; counts what it held back. One thread.
class LogLimiter {
 public:
  explicit LogLimiter(Duration period) : period_(period) {}

  // True when the caller may log now; `held_back()` then tells how many were not logged since the last one.
  bool allow(Time now);
  std::uint64_t held_back() const { return held_back_reported_; }

 private:
  Duration period_;
  Time next_{Time::min()};
  std::uint64_t held_back_ = 0;
  std::uint64_t held_back_reported_ = 0;
};

}  // namespace hotkeyd
