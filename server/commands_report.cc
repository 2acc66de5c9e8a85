// HOTKEY REPORT, HIT, INVALIDATE: what applications say.
#include "base/text.h"
#include "server/hotkey_command.h"

namespace hotkeyd {

void hotkey_report(Call& call) {
  const auto counted = call.server.reports.report(call.arguments.subspan(2), call.now);
  if (!counted) return call.reply.error("ERR " + counted.error());
  call.reply.integer(static_cast<std::int64_t>(*counted));
}

namespace {

// [count] [READ|WRITE|MISS] behind the key, either may be left out.
Result<Access> parse_hit(std::span<const std::string_view> arguments) {
  Access out{arguments[0], 1, 0, 0, 0, 0};
  std::uint64_t count = 1;
  std::string_view kind = "READ";
  if (arguments.size() == 2 && !parse_unsigned(arguments[1])) {
    kind = arguments[1];
  } else if (arguments.size() > 1) {
    const auto number = parse_unsigned(arguments[1]);
    if (!number) return Error{"value is not an integer or out of range"};
    count = *number;
    if (arguments.size() > 2) kind = arguments[2];
  }
  const bool is_write = equals_ignore_case(kind, "WRITE");
  const bool is_miss = equals_ignore_case(kind, "MISS");
  if (!is_write && !is_miss && !equals_ignore_case(kind, "READ"))
    return Error{"syntax error: count, then READ, WRITE or MISS"};
  out.reads = is_write ? 0 : count;
  out.writes = is_write ? count : 0;
  out.misses = is_miss ? count : 0;
  return out;
}

}  // namespace

void hotkey_hit(Call& call) {
  const auto access = parse_hit(call.arguments.subspan(3));
  if (!access) return call.reply.error("ERR " + access.error());
  const auto count = call.server.reports.hit(call.arguments[2], *access, call.now);
  if (!count) return call.reply.error("ERR " + count.error());
  call.reply.integer(static_cast<std::int64_t>(*count));
}

void hotkey_invalidate(Call& call) {
  const auto keys = call.arguments.subspan(3);
  for (const std::string_view key : keys) {
    if (const auto valid = check_key(key); !valid) return call.reply.error("ERR " + valid.error());
  }
  const auto ns = call.server.streams.open(call.arguments[2]);
  if (!ns) return call.reply.error("ERR " + ns.error());
  const std::size_t told = call.server.streams.invalidate(*ns, keys, call.now);
  call.reply.integer(static_cast<std::int64_t>(told));
}

}  // namespace hotkeyd
