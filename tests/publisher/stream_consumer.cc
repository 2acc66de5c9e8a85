#include "tests/publisher/stream_consumer.h"

#include <algorithm>
#include <utility>

#include "publisher/redis_transaction.h"

namespace hotkeyd::testing {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 20s;

std::map<std::string, std::string> fields_of(RespClient& client, const std::string& ns,
                                             const std::string& node) {
  std::map<std::string, std::string> fields;
  const RespValue flat = client.command({"HGETALL", state_key(ns, node)});
  for (std::size_t at = 0; at + 1 < flat.items.size(); at += 2)
    fields[flat.items[at].text] = flat.items[at + 1].text;
  return fields;
}

std::uint64_t seq_of_meta(const std::string& meta) {
  const std::string name = "\"seq\":";
  const std::size_t at = meta.find(name);
  return at == std::string::npos ? 0 : std::stoull(meta.substr(at + name.size()));
}

bool carries_seq(EventType type) { return type != EventType::heartbeat && type != EventType::snapshot; }

}  // namespace

StreamConsumer::StreamConsumer(std::uint16_t port, std::string ns, std::string node)
    : subscription_(port), reader_(port), ns_(std::move(ns)), node_(std::move(node)) {
  subscription_.command({"SUBSCRIBE", events_channel(ns_)});
  read_hash();
}

bool StreamConsumer::comes_to_hold(const std::set<std::string>& keys) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (held() != keys && std::chrono::steady_clock::now() < deadline) {
    while (take(20ms)) {  // Comparing after each message would cost more than the messages.
    }
  }
  return held() == keys;
}

bool StreamConsumer::sees(EventType type, const std::string& key) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  const auto is_it = [&](const Event& event) {
    return event.type == type && (key.empty() || event.key == key);
  };
  while (std::chrono::steady_clock::now() < deadline) {
    if (std::any_of(events_.begin(), events_.end(), is_it)) return true;
    take(20ms);
  }
  return false;
}

std::size_t StreamConsumer::count(EventType type) const {
  return static_cast<std::size_t>(
      std::count_if(events_.begin(), events_.end(), [&](const Event& event) { return event.type == type; }));
}

bool StreamConsumer::take(std::chrono::milliseconds patience) {
  const auto message = subscription_.read(patience);
  if (!message || message->items.size() != 3 || message->items[0].text != "message")
    return message.has_value();
  auto event = decode_event(message->items[2].text);
  if (!event || event->stream.node != node_) return true;
  apply(*event);
  events_.push_back(std::move(*event));
  return true;
}

void StreamConsumer::apply(const Event& event) {
  if (event.type == EventType::snapshot) {
    std::erase_if(keys_,
                  [&](const auto& entry) { return entry.second.first <= event.seq && event.part == 1; });
    for (const KeyData& data : event.keys) accept(data);
    seq_ = std::max(seq_, event.seq);
    is_known_ = true;
    return;
  }
  const bool follows = carries_seq(event.type) ? event.seq == seq_ + 1 : event.seq == seq_;
  const bool is_old = carries_seq(event.type) && event.seq <= seq_;
  const bool fits = event.type != EventType::heartbeat || event.hot_keys == held().size();
  if (is_old) return;
  if (event.data) accept(*event.data);
  seq_ = std::max(seq_, event.seq);
  if (std::exchange(is_known_, true) && follows && fits) return;
  ++gaps_;
  read_hash();
}

void StreamConsumer::accept(const KeyData& data) {
  auto& [seq, is_hot] = keys_[data.key];
  if (data.seq >= seq) std::tie(seq, is_hot) = std::pair(data.seq, data.state == "hot");
}

// A hash as of a seq replaces what is as old; a missing one is empty.
void StreamConsumer::read_hash() {
  auto fields = fields_of(reader_, ns_, node_);
  const std::uint64_t hash_seq = std::max(seq_of_meta(fields["meta"]), fields.size() == 1 ? seq_ : 0);
  std::erase_if(keys_, [&](const auto& entry) { return entry.second.first <= hash_seq; });
  for (const auto& [field, data] : fields) {
    if (field.starts_with("k:")) keys_.try_emplace(field.substr(2), hash_seq, true);
  }
  seq_ = std::max(seq_, hash_seq);
}

std::set<std::string> StreamConsumer::held() const {
  std::set<std::string> keys;
  for (const auto& [key, version] : keys_) {
    if (version.second) keys.insert(key);
  }
  return keys;
}

std::map<std::string, std::string> hash_of(RespClient& client, const std::string& ns,
                                           const std::string& node) {
  std::map<std::string, std::string> keys;
  for (auto& [field, data] : fields_of(client, ns, node)) {
    if (field.starts_with("k:")) keys[field.substr(2)] = data;
  }
  return keys;
}

}  // namespace hotkeyd::testing
