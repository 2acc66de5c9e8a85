#include "sources/parse_monitor.h"

#include <limits>

#include "base/text.h"
#include "sources/read_unix_time.h"

namespace hotkeyd {
namespace {

// Takes what stands before `separator` off `text`, and the separator but for its last `kept` bytes; nullopt:
// it is not there.
std::optional<std::string_view> take_until(std::string_view& text, std::string_view separator,
                                           std::size_t kept = 0) {
  const std::size_t end = text.find(separator);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end + separator.size() - kept);
  return taken;
}

std::optional<std::uint32_t> parse_db(std::string_view digits) {
  const auto db = parse_unsigned(digits);
  if (!db || *db > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return static_cast<std::uint32_t>(*db);
}

// Takes `1796052153.073128 [0 127.0.0.1:60974] ` off `text`. False: it does not begin so.
bool take_header(std::string_view& text, MonitorLine& line) {
  const auto time = take_until(text, " [");
  const auto unix_time = time ? read_unix_time(*time) : std::nullopt;
  const auto db_digits = take_until(text, " ");
  const auto db = db_digits ? parse_db(*db_digits) : std::nullopt;
  const auto source = take_until(text, "] \"", 1);
  if (!unix_time || !db || !source) return false;
  line.time = *unix_time;
  line.db = *db;
  line.source = *source;
  return true;
}

}  // namespace

Result<void> parse_monitor_line(std::string_view text, bool is_cut, MonitorLine& line) {
  line.arguments.clear();
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text == "OK") return {};
  if (!take_header(text, line)) {
    return Error{"it does not begin as a line of MONITOR, with 'time [database source] \"command\"'"};
  }
  for (const MonitorQuoting quoting : {MonitorQuoting::escaped, MonitorQuoting::bare}) {
    line.quoting = quoting;
    if (split_monitor_arguments(text, quoting, is_cut, line.arguments)) return {};
  }
  line.arguments.clear();
  return Error{"an argument has no closing quote: the line is cut or damaged"};
}

Result<std::span<const ParsedAccess>> MonitorParser::parse(const Line& line) {
  accesses_.clear();
  decoded_.clear();
  if (auto parsed = parse_monitor_line(line.text, line.cut > 0, line_); !parsed) return Error{parsed.error()};
  if (line_.arguments.empty() || runs_script(line_.arguments[0])) return std::span<const ParsedAccess>{};
  decoded_.reserve(line.text.size());
  for (const KeyArgument& key : find_keys()) {
    accesses_.push_back(
        {line_.time, decode_monitor_argument(line_.arguments[key.index], line_.quoting, decoded_),
         key.use == KeyUse::read ? AccessKind::read : AccessKind::write, value_bytes(key, line.cut)});
  }
  return std::span<const ParsedAccess>(accesses_);
}

std::span<const KeyArgument> MonitorParser::find_keys() {
  const std::size_t count = keys_of(line_.arguments, keys_);
  if (count > keys_.size()) {
    keys_.resize(count);
    keys_of(line_.arguments, keys_);
  }
  return std::span(keys_).first(count);
}

std::uint64_t MonitorParser::value_bytes(const KeyArgument& key, std::uint64_t cut) const {
  if (key.value == 0) return 0;
  const std::size_t kept = monitor_argument_size(line_.arguments[key.value], line_.quoting);
  return kept + (key.value + 1 == line_.arguments.size() ? cut : 0);
}

}  // namespace hotkeyd
