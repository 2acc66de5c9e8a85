// SUBSCRIBE, PSUBSCRIBE, UNSUBSCRIBE, PUNSUBSCRIBE: confirmations at once, snapshots and events by the
// mailbox.
#include <array>
#include <string>
#include <vector>

#include "server/command.h"

namespace hotkeyd {
namespace {

// Confirmations are pushes: they are sent also where replies are silenced.
void confirm(Call& call, std::string_view kind, std::optional<std::string_view> name) {
  RespWriter out(call.client.output.replies(), call.client.version);
  out.push(3);
  out.bulk(kind);
  name ? out.bulk(*name) : out.null();
  out.integer(static_cast<std::int64_t>(call.client.mailbox.subscriptions()));
}

std::string refusal(const Call& call) {
  const auto names = call.arguments.subspan(1);
  for (const std::string_view name : names) {
    if (name.size() > Subscriptions::kChannelSizeMax) return "ERR a channel name is longer than 1024 bytes";
  }
  if (!call.server.subscriptions.has_room_for(names.size())) {
    return "ERR subscription limit (" + std::to_string(call.server.options.subscriptions_max) + ") reached";
  }
  return {};
}

// Every confirmation stands before the first snapshot: the mailbox fills the output only after the command.
void subscribe_to(Call& call, bool is_pattern) {
  if (const std::string error = refusal(call); !error.empty()) return call.reply.error(error);
  for (const std::string_view name : call.arguments.subspan(1)) {
    call.server.subscriptions.subscribe(call.client.mailbox, is_pattern, name);
    confirm(call, is_pattern ? "psubscribe" : "subscribe", name);
  }
}

void unsubscribe_from(Call& call, bool is_pattern) {
  const std::string_view kind = is_pattern ? "punsubscribe" : "unsubscribe";
  std::vector<std::string> names(call.arguments.begin() + 1, call.arguments.end());
  if (names.empty()) {
    for (const auto& [name, entry] : call.client.mailbox.entries(is_pattern)) names.push_back(name);
  }
  if (names.empty()) confirm(call, kind, std::nullopt);
  for (const std::string& name : names) {
    call.server.subscriptions.unsubscribe(call.client.mailbox, is_pattern, name);
    confirm(call, kind, name);
  }
}

void subscribe(Call& call) { subscribe_to(call, false); }
void psubscribe(Call& call) { subscribe_to(call, true); }
void unsubscribe(Call& call) { unsubscribe_from(call, false); }
void punsubscribe(Call& call) { unsubscribe_from(call, true); }

constexpr std::array kSubscriptionCommands{
    CommandSpec{"subscribe", -2, 0, Permission::subscribe, subscribe,
                "Follows channels: hotkey:events:<namespace>.", true},
    CommandSpec{"psubscribe", -2, 0, Permission::subscribe, psubscribe,
                "Follows channels by glob: hotkey:events:*.", true},
    CommandSpec{"unsubscribe", -1, 0, Permission::none, unsubscribe, "Leaves channels, or all of them.",
                true},
    CommandSpec{"punsubscribe", -1, 0, Permission::none, punsubscribe, "Leaves patterns, or all of them.",
                true},
};

}  // namespace

std::span<const CommandSpec> subscription_commands() { return kSubscriptionCommands; }

}  // namespace hotkeyd
