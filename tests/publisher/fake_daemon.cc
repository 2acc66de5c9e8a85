#include "tests/publisher/fake_daemon.h"

#include <future>
#include <utility>

namespace hotkeyd::testing {

FakeDaemon::FakeDaemon(const Endpoint& redis, const Setup& setup) : setup_(setup), work_(io_.get_executor()) {
  PublisherOptions options;
  options.endpoint = redis;
  options.heartbeat = setup.heartbeat;
  PublisherHooks hooks;
  hooks.request_snapshot = [this](const std::string& ns) { push_snapshot(ns); };
  hooks.relay = [this](const std::string&, std::string bytes) {
    const std::lock_guard lock(mutex_);
    relayed_.push_back(std::move(bytes));
  };
  const PublisherIdentity identity{.node = setup.node, .epoch = 7, .lease = setup.lease, .seed = 1};
  publisher_ = make_publisher(io_, options, identity, hooks);
  publisher_->start();
  control_ = std::thread([this] { io_.run(); });
}

FakeDaemon::~FakeDaemon() {
  work_.reset();
  io_.stop();
  control_.join();
}

FakeDaemon::Hot& FakeDaemon::open(const std::string& ns) {
  const auto [entry, is_new] = streams_.try_emplace(ns);
  if (is_new) publisher_->push(NamespaceOpened{ns});
  return entry->second;
}

void FakeDaemon::promote(const std::string& ns, const std::string& key) {
  tell(ns, EventType::promoted, key);
}
void FakeDaemon::demote(const std::string& ns, const std::string& key) { tell(ns, EventType::demoted, key); }
void FakeDaemon::invalidate(const std::string& ns, const std::string& key) {
  tell(ns, EventType::invalidated, key);
}

void FakeDaemon::tell(const std::string& ns, EventType type, const std::string& key) {
  const std::lock_guard lock(mutex_);
  Hot& hot = open(ns);
  KeyData data;
  data.key = key;
  data.seq = ++hot.seq;
  data.state = type == EventType::demoted ? "cold" : "hot";
  if (type == EventType::promoted) hot.keys[key] = encode_key_data(stream_of(ns), data);
  if (type == EventType::demoted) hot.keys.erase(key);
  PublishedEvent event{.ns = ns,
                       .type = type,
                       .seq = hot.seq,
                       .key = key,
                       .bytes = nullptr,
                       .key_data = {},
                       .hot_keys = hot.keys.size()};
  if (type == EventType::promoted) event.key_data = hot.keys[key];
  event.bytes = std::make_shared<const std::string>(type == EventType::invalidated
                                                        ? encode_invalidated(stream_of(ns), key, hot.seq, 1)
                                                        : encode_key_event(stream_of(ns), type, data, 1));
  publisher_->push(std::move(event));
}

void FakeDaemon::push_snapshot(const std::string& ns) {
  const std::lock_guard lock(mutex_);
  const Hot& hot = streams_[ns];
  const UnixMs now = read_clocks().unix_ms;
  PublishedSnapshot snapshot{.ns = ns, .seq = hot.seq, .as_of_ms = now, .entries = {}, .parts = {}};
  std::vector<std::string> key_data;
  for (const auto& [key, data] : hot.keys) {
    snapshot.entries.push_back({key, data});
    key_data.push_back(data);
  }
  const auto sizes = cut_snapshot(stream_of(ns), key_data);
  auto from = key_data.begin();
  for (std::size_t part = 1; part <= sizes.size(); ++part) {
    const auto to = from + static_cast<std::ptrdiff_t>(sizes[part - 1]);
    snapshot.parts.push_back(std::make_shared<const std::string>(
        encode_snapshot_part(stream_of(ns), hot.seq, now, to_ms(setup_.lease), part, sizes.size(),
                             std::vector<std::string>(from, to))));
    from = to;
  }
  publisher_->push(std::move(snapshot));
}

bool FakeDaemon::stop(Duration deadline) {
  std::promise<bool> drained;
  asio::post(io_, [&] { publisher_->stop(deadline, [&](bool all) { drained.set_value(all); }); });
  return drained.get_future().get();
}

std::vector<std::string> FakeDaemon::relayed() const {
  const std::lock_guard lock(mutex_);
  return relayed_;
}

}  // namespace hotkeyd::testing
