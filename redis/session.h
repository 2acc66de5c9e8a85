// One life of a RedisConnection: from opening its socket to losing it. Private to redis/.
//
// Held by shared_ptr because each pending operation of Asio keeps it alive until its handler has run; after
// close() every handler returns at once. One thread.
#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/asio.h"
#include "redis/connection.h"
#include "redis/handshake.h"
#include "redis/reply_reader.h"

namespace hotkeyd {

class RedisSession : public std::enable_shared_from_this<RedisSession> {
 public:
  RedisSession(asio::io_context& io, RedisConnectionOptions options, RedisEvents events,
               std::optional<RedisClientId> predecessor);

  void open();
  void close();
  bool is_ready() const { return state_ == State::ready; }
  // How the server knows it, once it has been ready and where the server tells.
  const std::optional<RedisClientId>& client_id() const { return client_id_; }
  bool send(std::span<const RedisCommand> commands, RedisReplies replies);
  bool tell(const RedisCommand& command);

 private:
  enum class State { opening, ready, closed };
  // Commands sent together, whose replies are handed over together.
  struct Awaited {
    std::size_t replies_left = 0;
    std::size_t bytes = 0;
    std::vector<RedisReply> replies;
    RedisReplies done;
  };

  void resolve();
  void connect(const asio::ip::tcp::resolver::results_type& addresses);
  void take_tcp();
  void connect_unix();
  void connected(error_code failure);
  void greet();
  void greeted(const std::vector<RedisCommand>& commands, const std::vector<RedisReply>& replies);

  void await(std::span<const RedisCommand> commands, RedisReplies replies);
  void write(const std::string& bytes);
  void write_some();
  void written(error_code failure, std::size_t size);
  void read_some();
  void received(std::string_view bytes);
  void take_reply(RedisReply reply);

  bool is_awaiting() const;
  Time deadline() const;
  void arm();
  void expired();
  void fail(RedisFailure failure, std::string message);
  void fail(error_code failure);

  RedisConnectionOptions options_;
  RedisEvents events_;
  std::optional<RedisClientId> predecessor_;
  std::optional<RedisClientId> client_id_;
  std::string address_;  // Of our end.
  State state_ = State::opening;
  asio::ip::tcp::resolver resolver_;
  asio::ip::tcp::socket tcp_;
  asio::local::stream_protocol::socket unix_;
  StreamSocket stream_;
  asio::steady_timer timer_;

  ReplyReader reader_;
  std::array<char, 64 << 10> incoming_;
  std::string writing_;  // In the socket's hands, from `written_` on.
  std::size_t written_ = 0;
  std::string waiting_to_write_;  // Goes when `writing_` has gone.
  std::deque<Awaited> awaited_;
  std::size_t outstanding_ = 0;   // Bytes of awaited_ and of what tell() was given.
  bool ping_unanswered_ = false;  // Only where answers are messages.
  Time opened_{};
  Time progress_{};  // When the server last gave a sign of life, or the wait for one began.
};

}  // namespace hotkeyd
