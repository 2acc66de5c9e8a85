#include "tests/support/fault_proxy.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <future>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

#include "io/listener.h"
#include "tests/support/proxy_link.h"

namespace hotkeyd::testing {
namespace {

constexpr std::size_t kLinksMax = 256;

asio::generic::stream_protocol::endpoint address_of(const Endpoint& endpoint) {
  if (endpoint.is_unix()) return asio::local::stream_protocol::endpoint(endpoint.path);
  return asio::ip::tcp::endpoint(asio::ip::make_address(endpoint.host), endpoint.port);
}

// "tcp://127.0.0.1:4711": the port is behind the last colon.
std::uint16_t port_of(const std::string& url) {
  return static_cast<std::uint16_t>(std::stoul(url.substr(url.rfind(':') + 1)));
}

}  // namespace

class FaultProxy::Impl {
 public:
  Impl(const Endpoint& listen, const Endpoint& server, std::function<Tap()> tap_connection)
      : endpoint_(listen), server_(address_of(server)), tap_connection_(std::move(tap_connection)) {
    shared_.ended = [this](ProxyLink& link) { links_.erase(&link); };
    auto listener = Listener::open(io_, {listen, 0600, {}});
    if (!listener) throw std::runtime_error(listener.error());
    listener_ = std::move(*listener);
    if (!listen.is_unix()) endpoint_.port = port_of(listener_->address());
    listener_->start([this](StreamSocket socket) { accept(std::move(socket)); });
  }

  const Endpoint& endpoint() const { return endpoint_; }
  void loop() {
    const auto work = asio::make_work_guard(io_);
    io_.run();
  }

  void run(const std::function<void()>& act) {
    std::promise<void> done;
    asio::post(io_, [&] {
      act();
      done.set_value();
    });
    done.get_future().wait();
  }

  void stop() {
    run([this] {
      listener_->stop();
      each_link([](ProxyLink& link) { link.end(); });
      asio::post(io_, [this] { io_.stop(); });  // Behind what the links still have to say.
    });
  }

  void change(Way way, const std::function<void(PipeFaults&)>& switch_fault) {
    run([&] {
      if (way != Way::down) switch_fault(shared_.faults.up);
      if (way != Way::up) switch_fault(shared_.faults.down);
      each_link([](ProxyLink& link) { link.step(); });
    });
  }

  void reset(Way way) {
    run([&] { each_link([way](ProxyLink& link) { link.reset(way); }); });
  }

  void refuse(bool on) {
    run([&] { refuses_ = on; });
  }

  FaultProxyStats stats() {
    FaultProxyStats out;
    run([&] {
      out = shared_.stats;
      out.open = links_.size();
    });
    return out;
  }

 private:
  void accept(StreamSocket socket) {
    if (refuses_ || links_.size() == kLinksMax) {
      ++shared_.stats.refused;
      return;
    }
    ++shared_.stats.connections;
    auto link =
        std::make_shared<ProxyLink>(std::move(socket), shared_, tap_connection_ ? tap_connection_() : Tap{});
    links_[link.get()] = link;
    link->connect(server_);
  }

  // Links may end while they are visited.
  template <typename Visit>
  void each_link(Visit visit) {
    const auto links = links_;
    for (const auto& [key, link] : links) visit(*link);
  }

  asio::io_context io_{1};
  Endpoint endpoint_;
  const asio::generic::stream_protocol::endpoint server_;
  const std::function<Tap()> tap_connection_;
  ProxyLink::Shared shared_;
  std::unordered_map<ProxyLink*, std::shared_ptr<ProxyLink>> links_;
  std::unique_ptr<Listener> listener_;
  bool refuses_ = false;
};

FaultProxy::FaultProxy(const Endpoint& listen, const Endpoint& server, std::function<Tap()> tap_connection)
    : impl_(std::make_unique<Impl>(listen, server, std::move(tap_connection))),
      thread_([this] { impl_->loop(); }) {}

FaultProxy::~FaultProxy() {
  impl_->stop();
  thread_.join();
}

const Endpoint& FaultProxy::endpoint() const { return impl_->endpoint(); }

void FaultProxy::delay(Way way, Duration time) {
  impl_->change(way, [time](PipeFaults& faults) { faults.delay = time; });
}

void FaultProxy::stall(Way way) {
  impl_->change(way, [](PipeFaults& faults) { faults.is_stalled = true; });
}

void FaultProxy::byte_at_a_time(Way way) {
  impl_->change(way, [](PipeFaults& faults) { faults.is_byte_at_a_time = true; });
}

void FaultProxy::cut_after(Way way, std::uint64_t bytes, CutBy by) {
  impl_->change(way, [bytes, by](PipeFaults& faults) {
    faults.cut_after = bytes;
    faults.cut_by = by;
  });
}

void FaultProxy::reset(Way way) { impl_->reset(way); }
void FaultProxy::refuse(bool on) { impl_->refuse(on); }

void FaultProxy::heal() {
  impl_->refuse(false);
  impl_->change(Way::both, [](PipeFaults& faults) { faults = {}; });
}

FaultProxyStats FaultProxy::stats() { return impl_->stats(); }
void FaultProxy::run(const std::function<void()>& look) { impl_->run(look); }

}  // namespace hotkeyd::testing
