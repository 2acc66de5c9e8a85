// HOTKEY TOP, LIST, GET, SNAPSHOT, EPISODES, RULES: what can be asked. None of them creates a namespace.
#include "base/text.h"
#include "server/hotkey_command.h"
#include "server/json_views.h"

namespace hotkeyd {
namespace {

std::optional<std::size_t> parse_count(Call& call) {
  const auto count = parse_unsigned(call.arguments[3]);
  if (!count) call.reply.error("ERR value is not an integer or out of range");
  return count;
}

void write_row(RespWriter& reply, const TopRow& row) {
  reply.array(5);
  reply.bulk(row.key);
  reply.integer(static_cast<std::int64_t>(row.rate));
  reply.integer(static_cast<std::int64_t>(row.error));
  reply.bulk(to_string(row.key_class));
  reply.bulk(to_string(row.standing));
}

}  // namespace

void hotkey_top(Call& call) {
  std::optional<NamespaceId> ns;
  if (!find_namespace(call, ns)) return;
  const auto count = parse_count(call);
  if (!count) return;
  const auto rows = ns ? call.server.detector.top(*ns, *count, call.now) : std::vector<TopRow>{};
  call.reply.array(rows.size());
  for (const TopRow& row : rows) write_row(call.reply, row);
}

void hotkey_list(Call& call) {
  std::optional<NamespaceId> ns;
  if (!find_namespace(call, ns)) return;
  const auto keys = call.server.streams.encode_hot_set(call.arguments[2]);
  call.reply.array(keys.size());
  for (const std::string& key : keys) call.reply.bulk(key);
}

void hotkey_get(Call& call) {
  std::optional<NamespaceId> ns;
  if (!find_namespace(call, ns)) return;
  const auto found = ns ? call.server.detector.explain(*ns, call.arguments[3], call.now) : std::nullopt;
  if (!found) return call.reply.null();
  call.reply.bulk(explanation_json(call.arguments[2], *found));
}

void hotkey_snapshot(Call& call) {
  std::optional<NamespaceId> ns;
  if (!find_namespace(call, ns)) return;
  call.reply.bulk(call.server.streams.capture(call.arguments[2])->encode_whole());
}

void hotkey_episodes(Call& call) {
  std::optional<NamespaceId> ns;
  if (!find_namespace(call, ns)) return;
  const auto count = parse_count(call);
  if (!count) return;
  const auto episodes = ns ? call.server.detector.episodes(*ns, *count) : std::vector<Episode>{};
  call.reply.array(episodes.size());
  for (const Episode& episode : episodes) call.reply.bulk(episode_json(episode));
}

void hotkey_rules(Call& call) {
  std::optional<NamespaceId> ns;
  if (!find_namespace(call, ns)) return;
  call.reply.bulk(rules_json(call.server.detector.rules(call.arguments[2])));
}

}  // namespace hotkeyd
