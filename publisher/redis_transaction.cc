#include "publisher/redis_transaction.h"

#include <map>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "wire/event.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kFieldsPerCommand = 256;
constexpr std::size_t kBytesPerCommand = 256 << 10;
constexpr const char* kMembersPerProbe = "16";

void add(RedisTransaction& transaction, CommandRole role, RedisCommand command) {
  for (const std::string& argument : command) transaction.bytes += argument.size() + 16;
  transaction.commands.push_back(std::move(command));
  transaction.roles.push_back(role);
}

void publish(RedisTransaction& transaction, const std::string& bytes) {
  add(transaction, CommandRole::publish, {"PUBLISH", events_channel(transaction.ns), bytes});
}

void publish_events(RedisTransaction& transaction) {
  for (const PublishedEvent& event : transaction.events) {
    publish(transaction, *event.bytes);
    if (event.type != EventType::invalidated) continue;
    add(transaction, CommandRole::copy, {"PUBLISH", invalidated_channel(transaction.ns), *event.bytes});
  }
}

// The last word of the batch on each key: its data, or nullptr when it has been demoted.
std::map<std::string_view, const std::string*> changes_of(const std::vector<PublishedEvent>& events) {
  std::map<std::string_view, const std::string*> changes;
  for (const PublishedEvent& event : events) {
    if (event.type == EventType::promoted || event.type == EventType::updated)
      changes[event.key] = &event.key_data;
    if (event.type == EventType::demoted) changes[event.key] = nullptr;
  }
  return changes;
}

std::string field_of(std::string_view key) { return "k:" + std::string(key); }

}  // namespace

std::string events_channel(const std::string& ns) { return "hotkey:events:" + ns; }
std::string invalidated_channel(const std::string& ns) { return "hotkey:invalidated:" + ns; }
std::string state_key(const std::string& ns, const std::string& node) {
  return "hotkey:{" + ns + "}:state:" + node;
}
std::string nodes_key(const std::string& ns) { return "hotkey:{" + ns + "}:nodes"; }

RedisTransaction TransactionWriter::batch(const std::string& ns, std::vector<PublishedEvent> events,
                                          bool hash_expected, UnixMs at) const {
  RedisTransaction transaction{.ns = ns, .hash_expected = hash_expected, .events = std::move(events)};
  const bool has_hash = transaction.events.back().hot_keys > 0;
  add(transaction, CommandRole::exists, {"EXISTS", state_key(ns, identity_.node)});
  if (has_hash) write_changes(transaction, at);
  if (has_hash) join(transaction);
  if (!has_hash && hash_expected) leave(transaction);
  publish_events(transaction);
  if (has_hash) expire(transaction);
  return transaction;
}

void TransactionWriter::write_changes(RedisTransaction& transaction, UnixMs at) const {
  RedisCommand set{"HSET", state_key(transaction.ns, identity_.node), "meta",
                   meta(transaction.events.back().seq, at)};
  RedisCommand remove{"HDEL", state_key(transaction.ns, identity_.node)};
  for (const auto& [key, key_data] : changes_of(transaction.events)) {
    if (key_data != nullptr) set.insert(set.end(), {field_of(key), *key_data});
    if (key_data == nullptr) remove.push_back(field_of(key));
  }
  add(transaction, CommandRole::hash, std::move(set));
  if (remove.size() > 2) add(transaction, CommandRole::hash, std::move(remove));
}

RedisTransaction TransactionWriter::snapshot(const PublishedSnapshot& snapshot,
                                             std::vector<PublishedEvent> invalidations) const {
  RedisTransaction transaction{.ns = snapshot.ns, .events = std::move(invalidations)};
  add(transaction, CommandRole::exists, {"EXISTS", state_key(snapshot.ns, identity_.node)});
  if (snapshot.entries.empty()) {
    leave(transaction);
  } else {
    add(transaction, CommandRole::hash, {"DEL", state_key(snapshot.ns, identity_.node)});
    write_entries(transaction, snapshot);
    join(transaction);
  }
  for (const auto& part : snapshot.parts) publish(transaction, *part);
  publish_events(transaction);
  if (!snapshot.entries.empty()) expire(transaction);
  return transaction;
}

void TransactionWriter::write_entries(RedisTransaction& transaction,
                                      const PublishedSnapshot& snapshot) const {
  const std::string hash = state_key(snapshot.ns, identity_.node);
  RedisCommand set{"HSET", hash, "meta", meta(snapshot.seq, snapshot.as_of_ms)};
  std::size_t bytes = 0;
  for (const auto& entry : snapshot.entries) {
    if (set.size() >= 2 * kFieldsPerCommand || bytes >= kBytesPerCommand) {
      add(transaction, CommandRole::hash, std::exchange(set, {"HSET", hash}));
      bytes = 0;
    }
    bytes += entry.key.size() + entry.key_data.size();
    set.insert(set.end(), {field_of(entry.key), entry.key_data});
  }
  add(transaction, CommandRole::hash, std::move(set));
}

RedisTransaction TransactionWriter::heartbeat(const std::string& ns, StreamPosition at, UnixMs now) const {
  RedisTransaction transaction{.ns = ns, .hash_expected = at.hot_keys > 0};
  add(transaction, CommandRole::exists, {"EXISTS", state_key(ns, identity_.node)});
  if (transaction.hash_expected) join(transaction);
  const Stream stream{identity_.node, identity_.epoch, ns};
  publish(transaction, encode_heartbeat(stream, at.seq, at.hot_keys, to_ms(identity_.lease), now));
  if (transaction.hash_expected) expire(transaction);
  return transaction;
}

RedisTransaction TransactionWriter::members(const std::string& ns) const {
  RedisTransaction transaction{.ns = ns, .is_housekeeping = true};
  add(transaction, CommandRole::housekeeping, {"SRANDMEMBER", nodes_key(ns), kMembersPerProbe});
  return transaction;
}

RedisTransaction TransactionWriter::probe(const std::string& ns, std::vector<std::string> members) const {
  RedisTransaction transaction{.ns = ns, .is_housekeeping = true, .members = std::move(members)};
  for (const std::string& member : transaction.members) {
    add(transaction, CommandRole::housekeeping, {"EXISTS", state_key(ns, member)});
  }
  return transaction;
}

RedisTransaction TransactionWriter::remove(const std::string& ns,
                                           const std::vector<std::string>& dead) const {
  RedisTransaction transaction{.ns = ns, .is_housekeeping = true};
  RedisCommand command{"SREM", nodes_key(ns)};
  command.insert(command.end(), dead.begin(), dead.end());
  add(transaction, CommandRole::housekeeping, std::move(command));
  return transaction;
}

std::string TransactionWriter::meta(std::uint64_t seq, UnixMs as_of_ms) const {
  std::string json = "{\"node\":";
  append_json_string(json, identity_.node);
  json += ",\"epoch\":" + std::to_string(identity_.epoch) + ",\"seq\":" + std::to_string(seq);
  json +=
      ",\"as_of_ms\":" + std::to_string(as_of_ms) + ",\"lease_ms\":" + std::to_string(to_ms(identity_.lease));
  return json + '}';
}

void TransactionWriter::join(RedisTransaction& transaction) const {
  add(transaction, CommandRole::set, {"SADD", nodes_key(transaction.ns), identity_.node});
}

void TransactionWriter::leave(RedisTransaction& transaction) const {
  add(transaction, CommandRole::hash, {"DEL", state_key(transaction.ns, identity_.node)});
  add(transaction, CommandRole::set, {"SREM", nodes_key(transaction.ns), identity_.node});
}

void TransactionWriter::expire(RedisTransaction& transaction) const {
  const std::string lease_ms = std::to_string(to_ms(identity_.lease));
  add(transaction, CommandRole::hash, {"PEXPIRE", state_key(transaction.ns, identity_.node), lease_ms});
}

std::vector<RedisCommand> wrapped(std::vector<RedisCommand> commands) {
  commands.insert(commands.begin(), {"MULTI"});
  commands.push_back({"EXEC"});
  return commands;
}

TransactionOutcome read_outcome(std::vector<RedisReply> replies, std::size_t commands) {
  TransactionOutcome outcome;
  RedisReply exec = std::move(replies.back());
  if (exec.kind == RedisReply::Kind::array && exec.items.size() == commands) {
    outcome.results = std::move(exec.items);
    return outcome;
  }
  replies.back() = std::move(exec);
  for (const RedisReply& reply : replies) {
    if (!reply.is_error()) continue;
    outcome.refusal = reply.text;
    return outcome;
  }
  outcome.refusal = "ERR an unexpected reply to EXEC";
  return outcome;
}

}  // namespace hotkeyd
