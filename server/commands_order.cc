// HOTKEY PIN, UNPIN, DENY, ALLOW, DISABLE, ENABLE: orders of an operator. They take effect at once, and are
// answered once they are saved.
#include <limits>
#include <memory>

#include "base/log.h"
#include "base/text.h"
#include "server/hotkey_command.h"

namespace hotkeyd {
namespace {

// [PX ms] from `at` on. False: the error was replied.
bool parse_end(Call& call, std::size_t at, std::optional<UnixMs>& ends_ms) {
  if (call.arguments.size() == at) return true;
  if (call.arguments.size() != at + 2 || !equals_ignore_case(call.arguments[at], "PX")) {
    call.reply.error("ERR syntax error");
    return false;
  }
  const auto ms = parse_unsigned(call.arguments[at + 1]);
  const auto room = static_cast<std::uint64_t>(std::numeric_limits<UnixMs>::max() - call.now.unix_ms);
  if (!ms || *ms == 0 || *ms > room) {
    call.reply.error("ERR invalid expire time: PX takes milliseconds, 1 to " + std::to_string(room));
    return false;
  }
  ends_ms = call.now.unix_ms + static_cast<UnixMs>(*ms);
  return true;
}

using Give = Result<void> (Detector::*)(NamespaceId, std::string_view, std::optional<UnixMs>, Now,
                                        Decisions&);
using TakeBack = void (Detector::*)(NamespaceId, std::string_view, Now, Decisions&);

void tell(Call& call, Decisions& decisions) { call.server.streams.tell(decisions, std::nullopt); }

// The order applies; its answer says that it will also outlive the process.
void confirm(Call& call) {
  const auto& save = call.server.hooks.orders_changed;
  if (!save) return call.reply.simple("OK");
  const auto reply =
      std::make_shared<DeferredReply>(call.defer_order());  // A std::function must be copyable.
  save([reply](const Result<void>& saved) {
    saved ? reply->ok() : reply->error("ERR applied, but not saved: " + saved.error());
  });
}

// PIN, DENY: ns key [PX ms].
void give(Call& call, Give order) {
  std::optional<UnixMs> ends_ms;
  if (!parse_end(call, 4, ends_ms)) return;
  if (const auto valid = check_key(call.arguments[3]); !valid)
    return call.reply.error("ERR " + valid.error());
  const auto ns = call.server.streams.open(call.arguments[2]);
  if (!ns) return call.reply.error("ERR " + ns.error());
  Decisions decisions;
  const auto given = (call.server.detector.*order)(*ns, call.arguments[3], ends_ms, call.now, decisions);
  tell(call, decisions);
  if (!given) return call.reply.error("ERR " + given.error());
  confirm(call);
}

// UNPIN, ALLOW: ns key. OK also where there is nothing to take back.
void take_back(Call& call, TakeBack order) {
  std::optional<NamespaceId> ns;
  if (!find_namespace(call, ns)) return;
  Decisions decisions;
  if (ns) (call.server.detector.*order)(*ns, call.arguments[3], call.now, decisions);
  tell(call, decisions);
  confirm(call);
}

bool names_all(const Call& call) { return call.arguments[2] == "*"; }

void log_disabled(const Call& call, std::optional<UnixMs> ends_ms) {
  const LogField ns("ns", call.arguments[2]);
  if (!ends_ms) return log_info("disabled", {ns});
  log_info("disabled", {ns, {"until_unix_ms", *ends_ms}});
}

}  // namespace

void hotkey_pin(Call& call) { give(call, &Detector::pin); }
void hotkey_deny(Call& call) { give(call, &Detector::deny); }
void hotkey_unpin(Call& call) { take_back(call, &Detector::unpin); }
void hotkey_allow(Call& call) { take_back(call, &Detector::allow); }

void hotkey_disable(Call& call) {
  std::optional<UnixMs> ends_ms;
  if (!parse_end(call, 3, ends_ms)) return;
  Decisions decisions;
  if (names_all(call)) {
    call.server.detector.disable_all(ends_ms, call.now, decisions);
  } else {
    const auto ns = call.server.streams.open(call.arguments[2]);
    if (!ns) return call.reply.error("ERR " + ns.error());
    call.server.detector.disable(*ns, ends_ms, call.now, decisions);
  }
  log_disabled(call, ends_ms);
  tell(call, decisions);
  confirm(call);
}

void hotkey_enable(Call& call) {
  std::optional<NamespaceId> ns;
  if (!names_all(call) && !find_namespace(call, ns)) return;
  Decisions decisions;
  if (names_all(call)) call.server.detector.enable_all(call.now, decisions);
  if (ns) call.server.detector.enable(*ns, call.now, decisions);
  if (ns || names_all(call)) log_info("enabled", {{"ns", call.arguments[2]}});
  tell(call, decisions);
  confirm(call);
}

}  // namespace hotkeyd
