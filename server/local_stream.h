// The streams of this daemon as its local subscribers see them: one per namespace, and one per channel that
// somebody subscribed to before its namespace exists.
//
// Data thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "detector/decision.h"
#include "server/message.h"
#include "server/untold.h"

namespace hotkeyd {

class Mailbox;
class StreamSnapshot;
struct LocalStream;

// One stream as one subscription of one connection follows it. Owned by the connection's mailbox.
struct Feed {
  Mailbox& mailbox;
  const Subscription& subscription;
  LocalStream& stream;
  // The seq of the snapshot sent to it: events up to there are in it. nullopt: its first snapshot is still to
  // begin, and will hold whatever happens until then.
  std::optional<std::uint64_t> told_to;
};

struct LocalStream {
  std::string ns;
  std::string channel;
  std::optional<NamespaceId> id;  // nullopt: the namespace is not yet used.
  std::vector<Feed*> feeds;
  std::deque<Untold> untold;  // What waits to be told; the oldest first.
  std::size_t hot_keys = 0;   // After the last event told.
  // The last snapshot taken, while somebody still sends it: shared by who asks before the next event and
  // tick.
  std::weak_ptr<const StreamSnapshot> snapshot;
};

class LocalStreams {
 public:
  // The stream of a valid namespace name; made when it is new.
  LocalStream& of(std::string_view ns);
  LocalStream* find(std::string_view ns) const;
  // That of an open namespace.
  LocalStream& at(NamespaceId id) { return *by_id_[id]; }
  // Gives the stream the next id.
  LocalStream& open(std::string_view ns);
  std::size_t opened() const { return by_id_.size(); }
  // Forgets a stream that neither has a namespace nor a feed.
  void drop_unused(LocalStream& stream);

  // Every stream; in no particular order.
  std::vector<LocalStream*> all() const;
  // Those of open namespaces, in byte order of their names.
  std::vector<LocalStream*> opened_by_name() const;

 private:
  std::unordered_map<std::string, std::unique_ptr<LocalStream>, SeededHash, std::equal_to<>> by_name_;
  std::vector<LocalStream*> by_id_;
};

}  // namespace hotkeyd
