// One connection: reads requests in its turn, runs them, writes what waits.
//
// Fair: a turn reads at most 256 KiB and produces about 1 MiB of replies; then it is another connection's
// turn. A connection with 1 MiB of replies pending, a snapshot, or a deferred reply, is not read further; one
// whose events overflow is cut. Everything a turn put into any connection is written at its end, in one write
// each. Data thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/asio.h"
#include "resp/request_parser.h"
#include "server/client.h"
#include "server/command.h"
#include "server/read_area.h"

namespace hotkeyd {

class Session;

// What the sessions of a server share.
struct SessionsShared {
  SessionsShared(CommandServices& command_services, std::function<void(Session&)> on_closed)
      : services(command_services), closed(std::move(on_closed)) {}

  CommandServices& services;
  std::function<void(Session&)> closed;  // Called once per session, from the loop.
  ReadArea area;
  std::vector<std::shared_ptr<Session>> with_output;  // To be flushed at the end of the turn.
  std::vector<std::shared_ptr<Session>> flushing;     // Scratch of flush.
  std::vector<asio::const_buffer> pieces;             // Scratch of a gathered write.
  std::size_t rest_bytes = 0;                         // Of half requests, over all sessions.
  std::uint64_t commands = 0;
  std::uint64_t protocol_errors = 0;
  std::uint64_t cut_subscribers = 0;

  // The end of a turn or tick: writes what it left.
  void flush();
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  static constexpr std::size_t kPendingRepliesMax = 1 << 20;
  static constexpr std::size_t kRestBytesMax = 256
                                               << 20;  // Over all sessions: beyond, who adds to it is closed.

  Session(StreamSocket socket, std::uint64_t id, bool is_unix, SessionsShared& shared);

  Client& client() { return client_; }
  void start() { go_on(); }
  // Reads no more; closes once what was read is answered and written.
  void drain();
  // Closes at once. `shared.closed` follows from the loop.
  void close();
  // Closes at once and forgets the server, which is about to go.
  void abandon();
  void flush();

 private:
  void on_readable();
  void on_writable();
  void on_rest();
  void on_answered();
  void take_input(std::size_t size);
  void keep_rest(std::string_view bytes);
  std::size_t run(std::string_view bytes);
  void refuse(const std::string& reason);
  bool takes_input() const;
  void go_on();
  void end_turn();
  bool write_once(std::size_t& written);
  void wait_writable();
  void want_flush();
  void cut();

  StreamSocket socket_;
  SessionsShared* shared_;  // Null once abandoned.
  Client client_;
  RequestParser parser_;
  std::string rest_;              // Read, but not yet used.
  std::size_t rest_counted_ = 0;  // Its part of `SessionsShared::rest_bytes`.
  bool has_requests_ = false;     // `rest_` may hold whole requests: the turn ended before them.
  bool at_end_ = false;           // Nothing more will be read.
  bool reading_ = false;          // Waits in the loop to read.
  bool writing_ = false;          // Waits in the loop to write.
  bool resuming_ = false;         // Waits in the loop to go on with `rest_`.
  bool flush_wanted_ = false;
  bool closed_ = false;
};

}  // namespace hotkeyd
