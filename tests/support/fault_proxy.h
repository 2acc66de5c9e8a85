// A proxy between a client and a server that breaks the connection in every way a network and a busy peer do.
//
// For tests of what must survive that: delay, stall, a byte at a time, cut after n bytes, reset, refusal;
// each in one direction only or in both, switched while connections run. It listens on and connects to unix
// sockets and numeric TCP addresses.
//
// Guarantees: bytes are never changed, reordered or invented. A switch is in force when its call returns, on
// open connections as well. Cuts count bytes and so fall at the same byte in every run; only delays are
// times. Bounded: 16 KiB a direction of a connection, 256 connections (the next ones are refused); what waits
// beyond stays with its sender.
//
// Runs a thread of its own; every member may be called from any other thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <thread>

#include "base/clock.h"
#include "base/endpoint.h"

namespace hotkeyd::testing {

enum class Way { up, down, both };  // up: from the client to the server.
enum class CutBy { end, reset };

struct FaultProxyStats {
  std::uint64_t connections = 0;  // So far.
  std::uint64_t open = 0;
  std::uint64_t refused = 0;
  std::uint64_t cut = 0;
  std::uint64_t bytes_up = 0;    // Handed to the server.
  std::uint64_t bytes_down = 0;  // Handed to the client.
};

class FaultProxy {
 public:
  // Hears every byte that goes to the server, just before it does, and every one it said, delivered or not;
  // on the proxy's thread.
  using Tap = std::function<void(Way, std::string_view)>;

  // Throws std::runtime_error when it cannot listen. A TCP port of 0 becomes a free one. `tap_connection`
  // makes the tap of each connection; it may be empty and may return an empty one.
  FaultProxy(const Endpoint& listen, const Endpoint& server, std::function<Tap()> tap_connection = {});
  ~FaultProxy();  // Ends every connection.
  FaultProxy(const FaultProxy&) = delete;
  FaultProxy& operator=(const FaultProxy&) = delete;

  const Endpoint& endpoint() const;  // Where it listens.

  // Holds each piece of at most 16 KiB back for that long; 0 ends it.
  void delay(Way way, Duration time);
  // Takes and hands on nothing. The connections stay: their peers cannot tell it from a paused process.
  void stall(Way way);
  // Hands on single bytes, each by a write of its own.
  void byte_at_a_time(Way way);
  // After `bytes` more bytes in that direction (not both), counted over all connections, the one that carries
  // the last of them is cut there, once: the client is closed or reset, the server reads what came so far and
  // then the end. What it answers still goes to the tap.
  void cut_after(Way way, std::uint64_t bytes, CutBy by = CutBy::end);
  // Resets the open connections now: towards the server (up), the client (down), or both. In one direction
  // only, the other side stays open: nothing comes from it any more and what it sends is thrown away. On unix
  // sockets, which know no reset, the peer sees a closed connection, ECONNRESET where bytes were under way.
  void reset(Way way);
  // New connections are closed at once; open ones go on.
  void refuse(bool on);
  // Ends every fault; what was held is handed on.
  void heal();

  FaultProxyStats stats();
  // Runs `look` on the proxy's thread, so that it may look at what taps wrote, and waits for it.
  void run(const std::function<void()>& look);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
  std::thread thread_;
};

}  // namespace hotkeyd::testing
