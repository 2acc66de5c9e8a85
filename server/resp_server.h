// The data thread's server: RESP connections, the detector's clock, and the telling of its decisions.
//
// One object holds everything that a client on the RESP port sees (docs/protocol.md): listeners, sessions,
// commands, subscriptions, the ledger of reports. It drives the detector (a tick per slot), turns decisions
// into events, tells local subscribers and the Outlet, and sends heartbeats.
//
// Data thread: every member must be called on the thread that runs `io`, or before it runs. From another
// thread: asio::post(io, [&] { server.deliver_foreign(...); }).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/result.h"
#include "detector/detector.h"
#include "io/asio.h"
#include "io/file_descriptor.h"
#include "server/deferred_reply.h"
#include "server/listen_change.h"
#include "server/options.h"
#include "server/stats.h"
#include "wire/published.h"

namespace hotkeyd {

// What the server asks of the daemon around it. Every hook may be empty. Called on the data thread: they must
// be quick.
struct ServerHooks {
  std::function<std::string()> stats_json;  // HOTKEY STATS; empty: {}
  std::function<std::vector<std::pair<std::string, std::string>>()>
      config_pairs;                             // CONFIG GET, without secrets.
  std::function<void(LogLevel)> set_log_level;  // Empty: base's set_log_level.
  // HOTKEY RELOAD: answered once the new configuration applies, or not. Empty: refused.
  std::function<void(DeferredReply)> reload;
  // An order was given or taken back, and applies: `saved` is called on the data thread once it will outlive
  // this process, or with the reason why not. Empty: orders are answered at once.
  std::function<void(std::function<void(Result<void>)> saved)> orders_changed;
  std::function<void(Now)> ticked;  // After each tick: publish stats, feed the watchdog.
  // Told of every namespace and event, in order; must outlive the server. May be null. Snapshots are asked
  // with `snapshot`: events told later whose seq is not above that snapshot's are in it already (decisions
  // that waited to be told) and may be dropped, all but invalidations.
  Outlet* outlet = nullptr;
};

class RespServer {
 public:
  RespServer(asio::io_context& io, const ServerOptions& options, Detector& detector, ServerHooks hooks);
  ~RespServer();  // Closes whatever is still open; removes its socket files.
  RespServer(const RespServer&) = delete;
  RespServer& operator=(const RespServer&) = delete;

  // Binds every listener of the options, but for those whose place in `passed` holds a socket that listens
  // already (none: shorter, or closed); none is left bound after an error. Accepting begins with `start`.
  // "unix:///run/hotkeyd/hotkeyd.sock: another process serves this socket".
  Result<void> listen(std::vector<FileDescriptor> passed = {});
  // As URLs, in the order of the options; port 0 is shown as the port it became.
  std::vector<std::string> bound_addresses() const;

  // The detector was restored from what a process before left: its namespaces are opened. Before `start`, and
  // when the Outlet takes namespaces.
  void adopt_namespaces();

  // Ticks, accepts and tells from now on.
  void start();

  // A reload, while started: other listeners (connections stay, whichever they came by), another lease.
  void change_listeners(ListenChange change);
  void set_lease(Duration lease);
  // Drains: accepts nobody any more, removes the socket files, answers what was read, does the last tick,
  // tells what waits to be told, flushes and closes every connection (after `patience` also those that do not
  // read). `done` is called once, from the loop; then no work of the server is left in it.
  void stop(std::function<void()> done, Duration patience = std::chrono::seconds{1});

  // An event of another node (the relay of invalidations): handed to the local subscribers of `ns` as it is.
  void deliver_foreign(std::string_view ns, std::string_view bytes);
  // The hot set of a namespace as of its last decision; of an unknown one: empty, seq 0.
  PublishedSnapshot snapshot(std::string_view ns);
  std::vector<std::string> namespaces() const;

  // Decisions made outside of commands and ticks (new rules of a reload), and `rules_changed` of every
  // namespace.
  void tell(Decisions decisions);
  void tell_rules_changed();

  DataStats stats() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hotkeyd
