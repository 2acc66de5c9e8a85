#include "server/deferred_reply.h"

#include <string>
#include <utility>

#include "server/client.h"

namespace hotkeyd {
namespace {

void release(Client& client) {
  if (client.deferred.take(client.output.replies()) && client.answered) client.answered();
}

template <typename Write>
void answer(std::weak_ptr<ReplySlot>& waiting, Write write) {
  const auto slot = std::exchange(waiting, {}).lock();
  if (!slot) return;
  RespWriter reply(slot->reply.emplace(), slot->client.version);
  if (!slot->is_muted) write(reply);
  release(slot->client);
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

void ReplyQueue::add(std::shared_ptr<ReplySlot> slot) {
  slots_.push_back(std::move(slot));
  ++added_;
}

bool ReplyQueue::take(std::string& out) {
  bool took = false;
  for (; !slots_.empty() && slots_.front()->reply; took = true) {
    out += *slots_.front()->reply;
    slots_.pop_front();
  }
  return took;
}

DeferredReply defer_reply(Client& client, bool is_order) {
  auto slot = std::make_shared<ReplySlot>(ReplySlot{client, client.is_muted(), is_order, std::nullopt});
  const std::weak_ptr<ReplySlot> waiting = slot;
  client.deferred.add(std::move(slot));
  return DeferredReply(waiting);
}

void queue_reply(Client& client, std::string reply) {
  client.deferred.add(std::make_shared<ReplySlot>(ReplySlot{client, false, true, std::move(reply)}));
  release(client);
}

}  // namespace hotkeyd
