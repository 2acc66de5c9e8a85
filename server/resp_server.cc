#include "server/resp_server.h"

#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "io/listener.h"
#include "server/command.h"
#include "server/local_stream.h"
#include "server/reports.h"
#include "server/session.h"
#include "server/streams.h"
#include "server/subscriptions.h"
#include "server/ticker.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kDescriptorsReserved = 64;  // For HTTP, sinks and the log.

std::size_t clients_max(const ServerOptions& options) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return options.clients_max;
  const std::size_t room =
      limit.rlim_cur > 2 * kDescriptorsReserved ? limit.rlim_cur - kDescriptorsReserved : limit.rlim_cur / 2;
  return std::min(options.clients_max, room);
}

}  // namespace

class RespServer::Impl {
 public:
  Impl(asio::io_context& io, const ServerOptions& options, Detector& detector, ServerHooks hooks)
      : io_(io),
        options_(options),
        hooks_(std::move(hooks)),
        detector_(detector),
        subscriptions_(local_streams_, options_.subscriptions_max),
        started_(read_clocks()),
        streams_(options_, detector_, local_streams_, subscriptions_, hooks_.outlet, started_),
        reports_(options_, detector_, streams_),
        services_{options_, hooks_, detector_, streams_, subscriptions_, reports_, [this] { return stats(); },
                  started_},
        shared_(io, services_, [this](Session& session) { forget(session); }),
        ticker_(io, detector),
        patience_(io),
        clients_max_(clients_max(options_)) {}

  ~Impl() {
    for (const auto& [id, session] : sessions_) session->abandon();
  }

  Result<void> listen(std::vector<FileDescriptor> passed) {
    passed.resize(options_.listen.size());
    std::vector<std::unique_ptr<Listener>> bound;
    for (std::size_t i = 0; i < passed.size(); ++i) {
      auto listener = listen(options_.listen[i], std::move(passed[i]));
      if (!listener) return Error{listener.error()};
      bound.push_back(std::move(*listener));
    }
    listeners_ = std::move(bound);
    return {};
  }

  std::vector<std::string> bound_addresses() const {
    std::vector<std::string> out;
    for (const auto& listener : listeners_) out.push_back(listener->address());
    return out;
  }

  void adopt_namespaces() { streams_.adopt_namespaces(); }

  void start() {
    tick(read_clocks());
    for (const auto& listener : listeners_) start(*listener);
    ticker_.start([this](Now now) { tick(now); });
  }

  void change_listeners(ListenChange change) {
    std::vector<std::unique_ptr<Listener>> before = std::move(listeners_);
    listeners_.clear();
    for (ListenChange::Place& place : change.places) {
      listeners_.push_back(place.kept ? std::move(before.at(*place.kept)) : std::move(place.opened));
      if (!place.kept) start(*listeners_.back());
    }
    for (const auto& removed : before) {
      if (removed) removed_accept_errors_ += removed->accept_errors();
    }
  }

  void set_lease(Duration lease) { options_.lease = lease; }

  void stop(std::function<void()> done, Duration patience) {
    stopped_ = std::move(done);
    for (const auto& listener : listeners_) listener->stop();
    ticker_.stop();
    tick(read_clocks());
    streams_.tell_all();
    for (const auto& session : sessions()) session->drain();
    patience_.start(Clock::now() + patience, [this] {
      for (const auto& session : sessions()) session->close();
    });
    finish_if_empty();
  }

  void deliver_foreign(std::string_view ns, std::string_view bytes) {
    streams_.deliver_foreign(ns, bytes);
    shared_.flush();
  }

  PublishedSnapshot snapshot(std::string_view ns) { return streams_.published_snapshot(ns); }

  std::vector<std::string> namespaces() const {
    std::vector<std::string> out;
    for (const LocalStream* stream : local_streams_.opened_by_name()) out.push_back(stream->ns);
    return out;
  }

  void tell(Decisions decisions) {
    streams_.tell(decisions, std::nullopt);
    shared_.flush();
  }

  void tell_rules_changed() {
    streams_.tell_rules_changed(read_clocks());
    shared_.flush();
  }

  DataStats stats() const {
    DataStats out;
    reports_.add_to(out, Clock::now());
    for (std::size_t i = 0; i < detector_.namespaces(); ++i) {
      const auto ns = static_cast<NamespaceId>(i);
      out.namespaces[std::string(detector_.name(ns))] = detector_.stats(ns);
    }
    out.detection_delay = streams_.detection_delay();
    out.untold_events = streams_.untold();
    out.clients = sessions_.size();
    out.subscriptions = subscriptions_.size();
    out.cut_subscribers = shared_.cut_subscribers;
    out.protocol_errors = shared_.protocol_errors;
    out.commands = shared_.commands;
    out.refused_clients = refused_clients_;
    out.accept_errors = removed_accept_errors_;
    for (const auto& listener : listeners_) out.accept_errors += listener->accept_errors();
    out.loop_lag_seconds = ticker_.lag_seconds();
    return out;
  }

 private:
  Result<std::unique_ptr<Listener>> listen(const ListenOptions& wanted, FileDescriptor passed) {
    if (passed.is_open()) return Listener::adopt(io_, wanted.endpoint, std::move(passed));
    return Listener::open(io_, {wanted.endpoint, wanted.mode, wanted.group});
  }

  void start(Listener& listener) {
    listener.start(
        [this, is_unix = listener.is_unix()](StreamSocket socket) { accept(std::move(socket), is_unix); });
  }

  void accept(StreamSocket socket, bool is_unix) {
    if (sessions_.size() >= clients_max_) return refuse(socket);
    const std::uint64_t id = ++last_id_;
    const auto session = std::make_shared<Session>(std::move(socket), id, is_unix, shared_);
    sessions_.emplace(id, session);
    session->start();
  }

  void refuse(StreamSocket& socket) {
    ++refused_clients_;
    if (log_limit_.allow(Clock::now())) {
      log_warning("client_refused", {{"clients_max", clients_max_}, {"refused", refused_clients_}});
    }
    constexpr std::string_view kReply = "-ERR max number of clients reached\r\n";
    error_code ignored;
    socket.write_some(asio::buffer(kReply.data(), kReply.size()), ignored);
  }

  void forget(Session& session) {
    subscriptions_.unsubscribe_all(session.client().mailbox);
    sessions_.erase(session.client().id);
    finish_if_empty();
  }

  void finish_if_empty() {
    if (!stopped_ || !sessions_.empty()) return;
    patience_.cancel();
    streams_.tell_all();  // What the last requests decided beyond the pace.
    asio::post(io_, std::exchange(stopped_, nullptr));
  }

  void tick(Now now) {
    detector_.tick(now, decisions_);
    streams_.tell(decisions_, std::nullopt);
    streams_.tick(now);
    shared_.flush();
    if (hooks_.ticked) hooks_.ticked(now);
  }

  std::vector<std::shared_ptr<Session>> sessions() const {
    std::vector<std::shared_ptr<Session>> out;
    for (const auto& [id, session] : sessions_) out.push_back(session);
    return out;
  }

  asio::io_context& io_;
  ServerOptions options_;
  const ServerHooks hooks_;
  Detector& detector_;
  LocalStreams local_streams_;
  Subscriptions subscriptions_;
  const Now started_;
  Streams streams_;
  Reports reports_;
  CommandServices services_;
  SessionsShared shared_;
  Ticker ticker_;
  Timer patience_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::unordered_map<std::uint64_t, std::shared_ptr<Session>> sessions_;
  const std::size_t clients_max_;
  std::uint64_t last_id_ = 0;
  std::uint64_t refused_clients_ = 0;
  std::uint64_t removed_accept_errors_ = 0;  // Of listeners that a reload took away.
  LogLimiter log_limit_{std::chrono::seconds{10}};
  Decisions decisions_;
  std::function<void()> stopped_;  // Set while stopping.
};

RespServer::RespServer(asio::io_context& io, const ServerOptions& options, Detector& detector,
                       ServerHooks hooks)
    : impl_(std::make_unique<Impl>(io, options, detector, std::move(hooks))) {}
RespServer::~RespServer() = default;

Result<void> RespServer::listen(std::vector<FileDescriptor> passed) {
  return impl_->listen(std::move(passed));
}
std::vector<std::string> RespServer::bound_addresses() const { return impl_->bound_addresses(); }
void RespServer::adopt_namespaces() { impl_->adopt_namespaces(); }
void RespServer::start() { impl_->start(); }
void RespServer::change_listeners(ListenChange change) { impl_->change_listeners(std::move(change)); }
void RespServer::set_lease(Duration lease) { impl_->set_lease(lease); }
void RespServer::stop(std::function<void()> done, Duration patience) {
  impl_->stop(std::move(done), patience);
}
void RespServer::deliver_foreign(std::string_view ns, std::string_view bytes) {
  impl_->deliver_foreign(ns, bytes);
}
PublishedSnapshot RespServer::snapshot(std::string_view ns) { return impl_->snapshot(ns); }
std::vector<std::string> RespServer::namespaces() const { return impl_->namespaces(); }
void RespServer::tell(Decisions decisions) { impl_->tell(std::move(decisions)); }
void RespServer::tell_rules_changed() { impl_->tell_rules_changed(); }
DataStats RespServer::stats() const { return impl_->stats(); }

}  // namespace hotkeyd
