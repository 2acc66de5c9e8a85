#include "base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/text.h"

namespace hotkeyd {
namespace {

std::atomic<LogFormat> format_in_force{LogFormat::logfmt};

spdlog::logger& logger() {
  static const auto instance = [] {
    auto created =
        std::make_shared<spdlog::logger>("hotkeyd", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    created->set_pattern("%v");  // journald adds the time.
    created->flush_on(spdlog::level::debug);
    return created;
  }();
  return *instance;
}

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

bool is_bare(std::string_view value) {
  const auto plain = [](char c) { return c > 0x20 && c < 0x7f && c != '"' && c != '=' && c != '\\'; };
  return !value.empty() && std::all_of(value.begin(), value.end(), plain);
}

void append_logfmt(std::string& line, std::string_view name, std::string_view value) {
  if (!line.empty()) line += ' ';
  line += name;
  line += '=';
  line += is_bare(value) ? std::string(value) : '"' + redis_escape(value) + '"';
}

void append_json(std::string& line, std::string_view name, std::string_view value) {
  line += line.empty() ? '{' : ',';
  append_json_string(line, name);
  line += ':';
  append_json_string(line, is_valid_utf8(value) ? std::string(value) : redis_escape(value));
}

void write(LogLevel level, std::string_view event, LogFields fields) {
  if (!logger().should_log(to_spdlog(level))) return;
  logger().log(to_spdlog(level), spdlog::string_view_t{log_line(format_in_force, level, event, fields)});
}

}  // namespace

std::string log_line(LogFormat format, LogLevel level, std::string_view event, LogFields fields) {
  std::string line;
  const auto append = format == LogFormat::json ? append_json : append_logfmt;
  append(line, "level", to_string(level));
  append(line, "event", event);
  for (const LogField& field : fields) append(line, field.name, field.value);
  if (format == LogFormat::json) line += '}';
  return line;
}

Result<LogLevel> parse_log_level(std::string_view text) {
  for (const auto level : {LogLevel::debug, LogLevel::info, LogLevel::warning, LogLevel::error}) {
    if (text == to_string(level)) return level;
  }
  if (text == "warn") return LogLevel::warning;
  return Error{"log level must be debug, info, warning or error"};
}

std::string_view to_string(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return "debug";
    case LogLevel::info:
      return "info";
    case LogLevel::warning:
      return "warning";
    case LogLevel::error:
      return "error";
  }
  return "info";
}

void set_log_level(LogLevel level) { logger().set_level(to_spdlog(level)); }

LogLevel log_level() {
  for (const auto level : {LogLevel::debug, LogLevel::info, LogLevel::warning}) {
    if (to_spdlog(level) == logger().level()) return level;
  }
  return LogLevel::error;
}

void set_log_format(LogFormat format) { format_in_force = format; }

void log_debug(std::string_view event, LogFields fields) { write(LogLevel::debug, event, fields); }
void log_info(std::string_view event, LogFields fields) { write(LogLevel::info, event, fields); }
void log_warning(std::string_view event, LogFields fields) { write(LogLevel::warning, event, fields); }
void log_error(std::string_view event, LogFields fields) { write(LogLevel::error, event, fields); }

bool LogLimiter::allow(Time now) {
  if (now < next_) {
    ++held_back_;
    return false;
  }
  next_ = now + period_;
  held_back_reported_ = std::exchange(held_back_, 0);
  return true;
}

}  // namespace hotkeyd
