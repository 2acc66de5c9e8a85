// A reply that comes later than its command: an order waits for its fsync, a reload for the control thread.
//
// A handler that cannot answer at once calls `Call::defer` and keeps what it gets until it can. Until then
// the connection's further requests wait, so replies keep their order; events still flow. Only orders may
// follow orders, up to `kJoinedMax`, so that a pipeline of them shares a few fsyncs. CLIENT REPLY OFF and
// SKIP silence a reply as they would have silenced it at the time of the command.
//
// Exactly one reply: answering again does nothing, one that is destroyed unanswered answers -ERR. The
// connection may be gone by then; then nothing happens. Data thread, its destruction included.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hotkeyd {

struct Client;

// Where the reply goes, as long as the connection lives. Owned by its Client until it is in the output.
struct ReplySlot {
  Client& client;
  bool is_muted;
  bool is_order;                     // Further orders may run meanwhile.
  std::optional<std::string> reply;  // Set once it is there.
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

// The replies of a connection that are still to come, in the order of their commands.
class ReplyQueue {
 public:
  static constexpr std::size_t kJoinedMax = 256;

  bool empty() const { return slots_.empty(); }
  // Whether an order may run before these replies have come.
  bool takes_orders() const { return empty() || (slots_.back()->is_order && slots_.size() < kJoinedMax); }
  std::size_t added() const { return added_; }  // Ever.
  void add(std::shared_ptr<ReplySlot> slot);
  // Takes the replies whose turn has come; false where there is none.
  bool take(std::string& out);

 private:
  std::deque<std::shared_ptr<ReplySlot>> slots_;
  std::size_t added_ = 0;
};

// The client's running command is answered with what is returned.
DeferredReply defer_reply(Client& client, bool is_order = false);
// The reply of a command that ran while others wait takes its place behind them.
void queue_reply(Client& client, std::string reply);

}  // namespace hotkeyd
