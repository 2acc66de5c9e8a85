// Who follows which stream: exact channels and glob patterns of all connections.
//
// Redis's rules: each matching subscription delivers, other channels than `hotkey:events:<ns>` are taken and
// stay silent. A pattern follows the namespaces that exist, in byte order, and those to come. Bounded:
// `subscriptions_max` over all connections, `kChannelSizeMax` bytes a name. Data thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/local_stream.h"
#include "server/mailbox.h"

namespace hotkeyd {

class Subscriptions {
 public:
  static constexpr std::size_t kChannelSizeMax = 1024;

  Subscriptions(LocalStreams& streams, std::size_t subscriptions_max)
      : streams_(streams), subscriptions_max_(subscriptions_max) {}

  std::size_t size() const { return size_; }
  bool has_room_for(std::size_t more) const { return size_ + more <= subscriptions_max_; }

  // Subscribing again asks for the snapshots again.
  void subscribe(Mailbox& mailbox, bool is_pattern, std::string_view name);
  // False when there was no such subscription.
  bool unsubscribe(Mailbox& mailbox, bool is_pattern, std::string_view name);
  // Before a mailbox is destroyed.
  void unsubscribe_all(Mailbox& mailbox);

  // The stream's namespace has just been opened: patterns that match begin to follow it, from `empty` on, the
  // snapshot of a stream without events.
  void namespace_opened(LocalStream& stream, const std::shared_ptr<const StreamSnapshot>& empty);

 private:
  Feed& follow(Mailbox& mailbox, Mailbox::Entry& entry, LocalStream& stream);
  void unfollow(Mailbox::Entry& entry);
  void begin(Mailbox& mailbox, Mailbox::Entry& entry);

  LocalStreams& streams_;
  std::size_t subscriptions_max_;
  std::size_t size_ = 0;
  std::vector<Mailbox*> with_patterns_;  // Mailboxes that hold at least one pattern.
};

}  // namespace hotkeyd
