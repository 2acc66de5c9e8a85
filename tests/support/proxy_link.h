// One connection through a FaultProxy: two sockets and a pipe in each direction.
//
// A pipe reads at most 16 KiB, applies the faults of its direction, writes it on, and only then reads again.
// One thread: the proxy's.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "io/asio.h"
#include "io/timer.h"
#include "tests/support/fault_proxy.h"

namespace hotkeyd::testing {

// The faults of one direction, shared by all connections.
struct PipeFaults {
  Duration delay{0};
  bool is_stalled = false;
  bool is_byte_at_a_time = false;
  std::optional<std::uint64_t> cut_after;  // Bytes still to pass; taken away by the cut.
  CutBy cut_by = CutBy::end;
};

struct ProxyFaults {
  PipeFaults up;
  PipeFaults down;
};

class ProxyLink : public std::enable_shared_from_this<ProxyLink> {
 public:
  struct Shared {
    ProxyFaults faults;
    FaultProxyStats stats;
    std::function<void(ProxyLink&)> ended;  // Once per link.
  };

  ProxyLink(StreamSocket client, Shared& shared, FaultProxy::Tap tap);

  void connect(const asio::generic::stream_protocol::endpoint& server);
  void step();  // The faults changed: goes on with what they allow.
  void reset(Way way);
  void end();  // Closes both sides.

 private:
  struct Pipe {
    Pipe(Way direction, StreamSocket& source, StreamSocket& sink, PipeFaults& of, asio::io_context& io)
        : way(direction), from(source), to(sink), faults(of), hold(io) {}

    const Way way;
    StreamSocket& from;
    StreamSocket& to;
    PipeFaults& faults;
    Timer hold;
    std::array<char, 16 * 1024> buffer{};
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t told = 0;  // The tap heard of the bytes before.
    Time read_at{};
    bool is_busy = false;   // Waits in the loop to read or write.
    bool is_ended = false;  // Reads nothing more.
    bool discards = false;  // The sink is gone; the source is still read.
  };

  void step(Pipe& pipe);
  void read(Pipe& pipe);
  void on_read(Pipe& pipe, error_code error, std::size_t size);
  void write(Pipe& pipe);
  void tell_tap(Pipe& pipe, std::size_t end);
  void on_write(Pipe& pipe, error_code error, std::size_t size);
  bool cut_if_due(Pipe& pipe);
  void on_source_end(Pipe& pipe);
  void lose_client(CutBy by);
  void lose_server();

  asio::io_context& io_;
  Shared& shared_;
  FaultProxy::Tap tap_;
  StreamSocket client_;
  StreamSocket server_;
  Pipe up_;
  Pipe down_;
  bool is_connected_ = false;
  bool has_ended_ = false;
};

}  // namespace hotkeyd::testing
