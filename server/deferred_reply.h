// A reply that comes later than its command: an order waits for its fsync, a reload for the control thread.
//
// A handler that cannot answer at once calls `Call::defer` and keeps what it gets until it can. Until then
// the connection's further requests wait, so replies keep their order; events still flow. CLIENT REPLY OFF
// and SKIP silence it as they would have silenced the reply at the time of the command.
//
// Exactly one reply: answering again does nothing, one that is destroyed unanswered answers -ERR. The
// connection may be gone by then; then nothing happens. Data thread, its destruction included.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

namespace hotkeyd {

struct Client;

// Where the reply goes, as long as the connection lives. Owned by its Client while it waits.
struct ReplySlot {
  Client& client;
  bool is_muted;
};

class DeferredReply {
 public:
  explicit DeferredReply(std::weak_ptr<ReplySlot> slot) : slot_(std::move(slot)) {}
  ~DeferredReply();
  DeferredReply(DeferredReply&&) = default;
  DeferredReply& operator=(DeferredReply&& other) noexcept;
  DeferredReply(const DeferredReply&) = delete;
  DeferredReply& operator=(const DeferredReply&) = delete;

  void ok();
  // With its code: "ERR applied, but not saved: ...".
  void error(std::string_view text);

 private:
  std::weak_ptr<ReplySlot> slot_;  // Expired once answered, and when the connection is gone.
};

// The client's running command is answered with what is returned. One at a time.
DeferredReply defer_reply(Client& client);

}  // namespace hotkeyd
