#include "publisher/redis_relay.h"

#include <string_view>
#include <utility>

#include "publisher/redis_transaction.h"
#include "redis/handshake.h"
#include "wire/event.h"

namespace hotkeyd {
namespace {

constexpr Duration kReconnectMin = std::chrono::milliseconds{250};
constexpr Duration kReconnectMax = std::chrono::seconds{5};

}  // namespace

std::string relayed_namespace(const std::string& channel, const std::string& bytes,
                              const std::string& own_node) {
  const std::string prefix = invalidated_channel("");
  if (!channel.starts_with(prefix)) return {};
  const auto event = decode_event(bytes);
  if (!event || event->type != EventType::invalidated || event->stream.node == own_node) return {};
  std::string ns = channel.substr(prefix.size());
  return event->stream.ns == ns ? ns : std::string{};
}

RedisRelay::RedisRelay(asio::io_context& io, const RedisConnectionOptions& options,
                       const PublisherIdentity& identity, Sink sink, Log log)
    : node_(identity.node),
      sink_(std::move(sink)),
      log_(std::move(log)),
      reconnect_(kReconnectMin, kReconnectMax, identity.seed + 1),
      timer_(io),
      connection_(io, options,
                  {[this] { subscribe(); }, [this](const RedisLost& why) { lost(why); },
                   [this](const RedisReply& message) { received(message); }}) {}

void RedisRelay::follow(const std::string& ns) {
  const bool is_new = namespaces_.insert(ns).second;
  if (is_new) connection_.tell({"SUBSCRIBE", invalidated_channel(ns)});
}

void RedisRelay::server_is_reachable(bool reachable) {
  is_reachable_ = reachable;
  if (reachable && !is_open_) open();
}

void RedisRelay::stop() {
  is_reachable_ = false;
  is_open_ = false;
  timer_.cancel();
  connection_.close();
}

void RedisRelay::open() {
  is_open_ = true;
  connection_.open();
}

void RedisRelay::subscribe() {
  for (const std::string& ns : namespaces_) connection_.tell({"SUBSCRIBE", invalidated_channel(ns)});
}

void RedisRelay::lost(const RedisLost& lost) {
  report("lost", {"redis_relay_lost", "", lost.message, 0});
  is_open_ = false;
  if (!is_reachable_) return;
  is_open_ = true;
  timer_.start(Clock::now() + reconnect_.next(), [this] { open_again(); });
}

void RedisRelay::open_again() {
  is_open_ = false;
  if (is_reachable_) open();
}

void RedisRelay::received(const RedisReply& message) {
  if (message.is_error())
    return report(error_code_of(message.text), {"redis_relay_refused", "", message.text, 0});
  reconnect_.reset();
  if (message.items.size() != 3 || message.items[0].text != "message") return;
  const std::string ns = relayed_namespace(message.items[1].text, message.items[2].text, node_);
  if (!ns.empty()) sink_(ns, message.items[2].text);
}

void RedisRelay::report(const std::string& kind, ErrorLine line) {
  if (const auto admitted = errors_.admit(kind, std::move(line), Clock::now())) log_(*admitted);
}

}  // namespace hotkeyd
