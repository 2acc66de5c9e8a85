// What the Redis publisher writes: one MULTI/EXEC per batch of events, snapshot or heartbeat of one
// namespace.
//
//   channel hotkey:events:<ns>            every event, and
//   channel hotkey:invalidated:<ns>       invalidations once more, for the other daemons
//   hash    hotkey:{<ns>}:state:<node>    field meta and one field k:<key> per hot key, raw key bytes
//   set     hotkey:{<ns>}:nodes           the nodes that have a hash
//
// Both keys carry the hash tag {<ns>}, so a Redis Cluster takes them in one transaction. Each begins with
// EXISTS of the hash, repeats SADD and ends with PEXPIRE; without a hot key there is no hash and no
// membership. Pure; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "publisher/publish_item.h"
#include "redis/command.h"
#include "redis/reply.h"

namespace hotkeyd {

std::string events_channel(const std::string& ns);
std::string invalidated_channel(const std::string& ns);
std::string state_key(const std::string& ns, const std::string& node);
std::string nodes_key(const std::string& ns);

// What a command is for, so that its reply can be judged.
enum class CommandRole { exists, hash, set, publish, copy, housekeeping };

struct RedisTransaction {
  std::string ns;
  std::vector<RedisCommand> commands = {};  // Without MULTI and EXEC.
  std::vector<CommandRole> roles = {};      // Of each command.
  std::size_t bytes = 0;

  bool hash_expected = false;                             // EXISTS must answer 1.
  std::optional<std::uint64_t> snapshot_generation = {};  // Of the stream, when this writes its snapshot.
  std::vector<PublishedEvent> events = {};  // What it tells, to be counted or kept when it fails.
  bool is_housekeeping = false;             // About dead members of the set: failing harms nothing.
  std::vector<std::string> members = {};    // Whose hashes it looks for, in the order of the commands.
};

// Where a stream stands after a transaction.
struct StreamPosition {
  std::uint64_t seq = 0;
  std::size_t hot_keys = 0;
};

class TransactionWriter {
 public:
  explicit TransactionWriter(const PublisherIdentity& identity) : identity_(identity) {}

  // `events` are in order and not empty; `hash_expected` says whether the hash exists before them.
  RedisTransaction batch(const std::string& ns, std::vector<PublishedEvent> events, bool hash_expected,
                         UnixMs at) const;
  // The hash written whole and the snapshot published, then `invalidations` that were held back until it.
  RedisTransaction snapshot(const PublishedSnapshot& snapshot,
                            std::vector<PublishedEvent> invalidations) const;
  RedisTransaction heartbeat(const std::string& ns, StreamPosition at, UnixMs now) const;
  // Housekeeping, in three steps: some random members of the set; which of them have no hash; those taken
  // away.
  RedisTransaction members(const std::string& ns) const;
  RedisTransaction probe(const std::string& ns, std::vector<std::string> members) const;
  RedisTransaction remove(const std::string& ns, const std::vector<std::string>& dead) const;

 private:
  std::string meta(std::uint64_t seq, UnixMs as_of_ms) const;
  void write_changes(RedisTransaction& transaction, UnixMs at) const;
  void write_entries(RedisTransaction& transaction, const PublishedSnapshot& snapshot) const;
  void join(RedisTransaction& transaction) const;
  void leave(RedisTransaction& transaction) const;
  void expire(RedisTransaction& transaction) const;

  const PublisherIdentity& identity_;
};

// The commands as they go out: MULTI, ..., EXEC.
std::vector<RedisCommand> wrapped(std::vector<RedisCommand> commands);

// What came back for `wrapped` commands: the results of EXEC, or what the server refused it with.
struct TransactionOutcome {
  std::optional<std::string> refusal;
  std::vector<RedisReply> results;
};
TransactionOutcome read_outcome(std::vector<RedisReply> replies, std::size_t commands);

}  // namespace hotkeyd
