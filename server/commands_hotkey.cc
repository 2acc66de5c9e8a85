// HOTKEY: the table of its subcommands, and those that fit nowhere else.
#include <array>

#include "base/log.h"
#include "base/text.h"
#include "server/hotkey_command.h"

namespace hotkeyd {

Result<void> check_key(std::string_view key) {
  if (key.empty()) return Error{"the key is empty"};
  if (key.size() > kKeySizeMax) return Error{"the key is longer than 65536 bytes"};
  return {};
}

bool find_namespace(Call& call, std::optional<NamespaceId>& out) {
  if (!is_valid_name(call.arguments[2])) {
    call.reply.error("ERR invalid namespace: 1 to 128 of A-Z a-z 0-9 _ . -");
    return false;
  }
  out = call.server.detector.find(call.arguments[2]);
  return true;
}

namespace {

void stats(Call& call) {
  const auto& json = call.server.hooks.stats_json;
  call.reply.bulk(json ? json() : "{}");
}

void reload(Call& call) {
  const auto& reload = call.server.hooks.reload;
  if (!reload) return call.reply.error("ERR this daemon reloads its configuration only by a restart");
  reload(call.defer());
}

void log_level(Call& call) {
  const auto level = parse_log_level(call.arguments[2]);
  if (!level) return call.reply.error("ERR " + level.error());
  const auto& set = call.server.hooks.set_log_level;
  set ? set(*level) : set_log_level(*level);
  call.reply.simple("OK");
}

void hotkey_alone(Call& call) { call.reply.error("ERR wrong number of arguments for 'hotkey' command"); }

constexpr auto kReport = Permission::report;
constexpr auto kRead = Permission::read;
constexpr auto kAdmin = Permission::admin;
constexpr auto kSubscribe = Permission::subscribe;

constexpr std::array kSubcommands{
    CommandSpec{"hotkey|report", -7, 0, kReport, hotkey_report,
                "Counts a batch: ns producer epoch seq n row*n [option ...]."},
    CommandSpec{"hotkey|hit", -4, 6, kReport, hotkey_hit,
                "Counts one key: ns key [count] [READ|WRITE|MISS]."},
    CommandSpec{"hotkey|top", 4, 0, kRead, hotkey_top, "The hottest keys, hot or not: ns n."},
    CommandSpec{"hotkey|list", 3, 0, kRead, hotkey_list, "The hot set: ns."},
    CommandSpec{"hotkey|get", 4, 0, kRead, hotkey_get, "What is known of one key: ns key."},
    CommandSpec{"hotkey|snapshot", 3, 0, kSubscribe, hotkey_snapshot, "The hot set as one event: ns."},
    CommandSpec{"hotkey|episodes", 4, 0, kRead, hotkey_episodes,
                "The last hot episodes, newest first: ns n."},
    CommandSpec{"hotkey|pin", -4, 6, kAdmin, hotkey_pin, "Makes a key hot whatever its rate: ns key [PX ms].",
                false, true},
    CommandSpec{"hotkey|unpin", 4, 0, kAdmin, hotkey_unpin, "Takes a pin back: ns key.", false, true},
    CommandSpec{"hotkey|deny", -4, 6, kAdmin, hotkey_deny,
                "Keeps a key cold whatever its rate: ns key [PX ms].", false, true},
    CommandSpec{"hotkey|allow", 4, 0, kAdmin, hotkey_allow, "Takes a denial back: ns key.", false, true},
    CommandSpec{"hotkey|disable", -3, 5, kAdmin, hotkey_disable,
                "Demotes all and promotes none: ns|* [PX ms].", false, true},
    CommandSpec{"hotkey|enable", 3, 0, kAdmin, hotkey_enable, "Ends DISABLE: ns|*.", false, true},
    CommandSpec{"hotkey|invalidate", -4, 0, kReport, hotkey_invalidate,
                "Near caches drop their copies: ns key [key ...]."},
    CommandSpec{"hotkey|rules", 3, 0, kSubscribe, hotkey_rules, "The rules in force: ns."},
    CommandSpec{"hotkey|stats", 2, 0, kRead, stats, "The counters of /metrics as JSON."},
    CommandSpec{"hotkey|reload", 2, 0, kAdmin, reload, "Reads the configuration anew."},
    CommandSpec{"hotkey|loglevel", 3, 0, kAdmin, log_level,
                "Sets the log level: debug, info, warning, error."},
};

constexpr std::array kHotkey{
    CommandSpec{"hotkey", -2, 0, Permission::none, hotkey_alone, "Finds hot keys and tells of them.", false,
                false, kSubcommands},
};

}  // namespace

std::span<const CommandSpec> hotkey_commands() { return kHotkey; }

}  // namespace hotkeyd
