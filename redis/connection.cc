#include "redis/connection.h"

#include <utility>

#include "redis/session.h"

namespace hotkeyd {

RedisConnection::RedisConnection(boost::asio::io_context& io, RedisConnectionOptions options,
                                 RedisEvents events)
    : io_(io), options_(std::move(options)), events_(std::move(events)) {}

RedisConnection::~RedisConnection() { close(); }

void RedisConnection::open() {
  close();
  session_ = std::make_shared<RedisSession>(io_, options_, events_, predecessor_);
  session_->open();
}

void RedisConnection::close() {
  if (session_) session_->close();
  if (session_ && session_->client_id()) predecessor_ = session_->client_id();
  session_.reset();
}

bool RedisConnection::is_ready() const { return session_ && session_->is_ready(); }

bool RedisConnection::send(std::span<const RedisCommand> commands, RedisReplies replies) {
  return session_ && session_->send(commands, std::move(replies));
}

bool RedisConnection::tell(const RedisCommand& command) { return session_ && session_->tell(command); }

}  // namespace hotkeyd
