// What one connection is subscribed to, and the way of events into its output.
//
// A subscription begins with a snapshot per stream. Snapshots are sent one after the other, a part at a time
// as the socket drains, so that a large hot set never lies encoded in memory; events that come meanwhile are
// held behind them. Each snapshot is taken when its turn comes (that of a new stream at once): what happened
// before is in it, what happens later follows it, without a gap. A connection with more than
// `pending_events_max` bytes of events waiting is cut. Data thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "resp/writer.h"
#include "server/local_stream.h"
#include "server/message.h"
#include "server/output_buffer.h"
#include "server/stream_snapshot.h"

namespace hotkeyd {

struct MailboxOptions {
  std::size_t pending_events_max = 8 << 20;
  std::size_t low_water = 64 * 1024;   // A snapshot goes on when less output than this is pending.
  std::function<void()> output_waits;  // Something was put into the output.
  std::function<void()> overflowed;    // The connection must be cut.
};

class Mailbox {
 public:
  struct Entry {
    Subscription subscription;
    std::vector<std::unique_ptr<Feed>> feeds;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;
  using Capture = std::function<std::shared_ptr<const StreamSnapshot>(LocalStream&)>;

  Mailbox(OutputBuffer& output, MailboxOptions options) : output_(output), options_(std::move(options)) {}
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  void set_version(RespVersion version) { version_ = version; }

  // Exact channels or patterns. Subscriptions keeps them (it also knows the other side of each feed).
  Entries& entries(bool patterns) { return patterns ? patterns_ : channels_; }
  std::size_t subscriptions() const { return channels_.size() + patterns_.size(); }

  // The feed's snapshot is to be sent, after those asked for before.
  void ask_snapshot(Feed& feed);
  // The same, but this snapshot, taken now: what happens from now on follows it.
  void send_snapshot(Feed& feed, std::shared_ptr<const StreamSnapshot> snapshot);
  // The feed is about to be destroyed.
  void forget(const Feed& feed);
  bool snapshot_waits() const { return !jobs_.empty(); }
  // Puts the next parts into the output, until enough is pending there.
  void fill(const Capture& capture);

  // An event of the feed's stream. One without a seq of this node's stream passes as the newest.
  void deliver(const Feed& feed, std::uint64_t seq, Message& message);

 private:
  struct Job {
    Feed* feed;
    std::shared_ptr<const StreamSnapshot> snapshot;  // Null until its turn comes.
    std::size_t next_part = 0;
  };

  bool has_snapshot_to_send() const;
  void send_part(const Capture& capture);
  void release_held();

  OutputBuffer& output_;
  MailboxOptions options_;
  RespVersion version_ = RespVersion::resp2;
  Entries channels_;
  Entries patterns_;
  std::deque<Job> jobs_;
  std::vector<SharedBytes> held_;
  std::size_t held_bytes_ = 0;
};

}  // namespace hotkeyd
