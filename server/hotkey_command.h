// The subcommands of HOTKEY, and what they share. Their table is in commands_hotkey.cc. Data thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "server/command.h"

namespace hotkeyd {

// 1 to 65,536 bytes.
Result<void> check_key(std::string_view key);

// The namespace of a command that only asks: nullopt when it is not yet used. Replies an error, and returns
// false, when the name is none.
bool find_namespace(Call& call, std::optional<NamespaceId>& out);

// commands_report.cc
void hotkey_report(Call& call);
void hotkey_hit(Call& call);
void hotkey_invalidate(Call& call);

// commands_view.cc
void hotkey_top(Call& call);
void hotkey_list(Call& call);
void hotkey_get(Call& call);
void hotkey_snapshot(Call& call);
void hotkey_episodes(Call& call);
void hotkey_rules(Call& call);

// commands_order.cc
void hotkey_pin(Call& call);
void hotkey_unpin(Call& call);
void hotkey_deny(Call& call);
void hotkey_allow(Call& call);
void hotkey_disable(Call& call);
void hotkey_enable(Call& call);

}  // namespace hotkeyd
