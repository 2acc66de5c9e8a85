#include "server/deferred_reply.h"

#include <cassert>
#include <string>
#include <utility>

#include "server/client.h"

namespace hotkeyd {
namespace {

// The slot ends before the client is told: it may run the next request at once.
template <typename Write>
void answer(std::weak_ptr<ReplySlot>& waiting, Write write) {
  const auto slot = std::exchange(waiting, {}).lock();
  if (!slot) return;
  Client& client = slot->client;
  RespWriter reply(client.output.replies(), client.version);
  if (!slot->is_muted) write(reply);
  client.deferred.reset();
  if (client.answered) client.answered();
}

}  // namespace

DeferredReply::~DeferredReply() { error("ERR the command was given up before it had an answer"); }

DeferredReply& DeferredReply::operator=(DeferredReply&& other) noexcept {
  std::swap(slot_, other.slot_);
  return *this;
}

void DeferredReply::ok() {
  answer(slot_, [](RespWriter& reply) { reply.simple("OK"); });
}

void DeferredReply::error(std::string_view text) {
  answer(slot_, [text](RespWriter& reply) { reply.error(text); });
}

DeferredReply defer_reply(Client& client) {
  assert(!client.reply_waits());
  client.deferred = std::make_shared<ReplySlot>(ReplySlot{client, client.is_muted()});
  return DeferredReply(client.deferred);
}

}  // namespace hotkeyd
