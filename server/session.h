// One connection: reads requests in its turn, runs them, writes what waits.
//
// Fair: a turn reads at most 256 KiB and produces about 1 MiB of replies; then it is another connection's
// turn. A connection with 1 MiB of replies pending, a snapshot, or a deferred reply (but for orders), is not
// read further; one whose events overflow is cut. What a turn put into any connection is written at its end,
// in one write each; what is beyond about 1 MiB over all connections (kFlushMax) waits for turns of its own,
// and so do all snapshots: 300 subscribers that ask for 1000 keys each hold nobody else up. Data thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/asio.h"
#include "io/timer.h"
#include "resp/request_parser.h"
#include "server/client.h"
#include "server/command.h"
#include "server/read_area.h"

namespace hotkeyd {

class Session;

// What the sessions of a server share.
struct SessionsShared {
  using Queue = std::deque<std::shared_ptr<Session>>;
  static constexpr std::size_t kFlushMax = 1 << 20;  // Bytes written, or encoded for snapshots, in one turn.
  static constexpr std::size_t kWriteCost = 4096;    // What a write counts at least.

  SessionsShared(asio::io_context& io, CommandServices& command_services,
                 std::function<void(Session&)> on_closed)
      : services(command_services), closed(std::move(on_closed)), next_turn(io) {}

  CommandServices& services;
  std::function<void(Session&)> closed;  // Called once per session, from the loop.
  ReadArea area;
  Queue with_output;                       // To be written at the end of the turn.
  Queue with_snapshots;                    // Whose snapshots go on in turns of their own, a part each.
  std::vector<asio::const_buffer> pieces;  // Scratch of a gathered write.
  Timer next_turn;
  bool turn_is_planned = false;
  std::size_t rest_bytes = 0;  // Of half requests, over all sessions.
  std::uint64_t commands = 0;
  std::uint64_t protocol_errors = 0;
  std::uint64_t cut_subscribers = 0;

  // The end of a turn or tick: writes what it left, up to kFlushMax.
  void flush();
  // Gives what is left in the queues a turn of its own.
  void plan_rest();

 private:
  std::size_t write_output();
  void run_turn();
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
  // Writes what waits, and goes on reading where that was in the way. Returns the bytes written.
  std::size_t flush();
  // Encodes the next part of the snapshots that wait, and writes it. Returns the bytes encoded.
  std::size_t send_part();

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
  std::size_t write_output();
  bool write_once(std::size_t& written);
  void wait_writable();
  void want_flush();
  void want_part();
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
  bool is_blocked_ = false;       // The next request waits for deferred replies.
  std::string broken_;            // Why the connection ends after the deferred replies; empty: it does not.
  bool resuming_ = false;         // Waits in the loop to go on with `rest_`.
  bool flush_wanted_ = false;
  bool part_wanted_ = false;
  bool closed_ = false;
};

}  // namespace hotkeyd
