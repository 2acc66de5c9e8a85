#include "redis/session.h"

#include <sys/un.h>

#include <boost/asio/connect.hpp>
#include <cctype>
#include <sstream>
#include <utility>

namespace hotkeyd {

using asio::ip::tcp;
using asio::local::stream_protocol;

RedisSession::RedisSession(asio::io_context& io, RedisConnectionOptions options, RedisEvents events,
                           std::optional<RedisClientId> predecessor)
    : options_(std::move(options)),
      events_(std::move(events)),
      predecessor_(std::move(predecessor)),
      resolver_(io),
      tcp_(io),
      unix_(io),
      stream_(io),
      timer_(io),
      reader_(options_.caps) {}

void RedisSession::open() {
  opened_ = progress_ = Clock::now();
  arm();
  if (options_.endpoint.is_unix()) return connect_unix();
  resolve();
}

// A numeric address does without the resolver, which would start a thread.
void RedisSession::resolve() {
  error_code not_numeric;
  const asio::ip::address address = asio::ip::make_address(options_.endpoint.host, not_numeric);
  if (!not_numeric) {
    const tcp::endpoint numeric(address, options_.endpoint.port);
    return connect(tcp::resolver::results_type::create(numeric, options_.endpoint.host, ""));
  }
  resolver_.async_resolve(
      options_.endpoint.host, std::to_string(options_.endpoint.port), tcp::resolver::numeric_service,
      [self = shared_from_this()](error_code failure, const tcp::resolver::results_type& found) {
        if (self->state_ == State::closed) return;
        if (failure) return self->fail(failure);
        self->connect(found);
      });
}

void RedisSession::connect(const tcp::resolver::results_type& addresses) {
  asio::async_connect(tcp_, addresses, [self = shared_from_this()](error_code failure, const tcp::endpoint&) {
    if (self->state_ == State::closed) return;
    if (!failure) self->take_tcp();
    self->connected(failure);
  });
}

void RedisSession::take_tcp() {
  error_code ignored;
  tcp_.set_option(tcp::no_delay(true), ignored);
  std::ostringstream address;
  address << tcp_.local_endpoint(ignored);
  address_ = address.str();
  stream_ = std::move(tcp_);
}

void RedisSession::connect_unix() {
  address_ = options_.endpoint.path + ":0";
  if (options_.endpoint.path.size() >= sizeof(sockaddr_un::sun_path)) {
    return asio::post(timer_.get_executor(), [self = shared_from_this()] {
      if (self->state_ != State::closed)
        self->fail(RedisFailure::connection, "the path of the socket is too long");
    });
  }
  unix_.async_connect(stream_protocol::endpoint(options_.endpoint.path),
                      [self = shared_from_this()](error_code failure) {
                        if (self->state_ == State::closed) return;
                        if (!failure) self->stream_ = std::move(self->unix_);
                        self->connected(failure);
                      });
}

void RedisSession::connected(error_code failure) {
  if (failure) return fail(failure);
  greet();
  read_some();
}

void RedisSession::greet() {
  const auto commands = handshake_commands(options_.endpoint, options_.client_name, predecessor_);
  await(commands, [this, commands](const std::vector<RedisReply>& replies) { greeted(commands, replies); });
}

void RedisSession::greeted(const std::vector<RedisCommand>& commands,
                           const std::vector<RedisReply>& replies) {
  const auto id = judge_handshake(commands, replies);
  if (!id) return fail(RedisFailure::refused, id.error());
  if (*id > 0) client_id_ = RedisClientId{*id, address_};
  state_ = State::ready;
  arm();
  events_.ready();
}

void RedisSession::close() {
  state_ = State::closed;
  awaited_.clear();
  resolver_.cancel();
  timer_.cancel();
  error_code ignored;
  tcp_.close(ignored);
  unix_.close(ignored);
  stream_.close(ignored);
}

bool RedisSession::send(std::span<const RedisCommand> commands, RedisReplies replies) {
  if (state_ != State::ready || outstanding_ >= options_.outstanding_max) return false;
  await(commands, std::move(replies));
  return true;
}

bool RedisSession::tell(const RedisCommand& command) {
  if (state_ != State::ready || writing_.size() + waiting_to_write_.size() >= options_.outstanding_max)
    return false;
  std::string bytes;
  append_redis_command(bytes, command);
  write(bytes);
  return true;
}

void RedisSession::await(std::span<const RedisCommand> commands, RedisReplies replies) {
  std::string bytes;
  for (const RedisCommand& command : commands) append_redis_command(bytes, command);
  const bool was_awaiting = is_awaiting();
  outstanding_ += bytes.size();
  awaited_.push_back({commands.size(), bytes.size(), {}, std::move(replies)});
  write(bytes);
  if (was_awaiting) return;
  progress_ = Clock::now();
  arm();
}

void RedisSession::write(const std::string& bytes) {
  waiting_to_write_ += bytes;
  if (writing_.empty()) write_some();
}

void RedisSession::write_some() {
  if (writing_.empty()) {
    writing_ = std::exchange(waiting_to_write_, {});
    written_ = 0;
  }
  if (writing_.empty()) return;
  stream_.async_write_some(asio::buffer(writing_.data() + written_, writing_.size() - written_),
                           [self = shared_from_this()](error_code failure, std::size_t size) {
                             if (self->state_ != State::closed) self->written(failure, size);
                           });
}

// A part of a large write that went through is a sign of life; small writes are not, since the kernel takes
// them for a server that has stopped.
void RedisSession::written(error_code failure, std::size_t size) {
  if (failure) return fail(failure);
  written_ += size;
  if (written_ < writing_.size()) progress_ = Clock::now();
  if (written_ == writing_.size()) writing_.clear();
  write_some();
}

void RedisSession::read_some() {
  stream_.async_read_some(asio::buffer(incoming_),
                          [self = shared_from_this()](error_code failure, std::size_t size) {
                            if (self->state_ == State::closed) return;
                            if (failure) return self->fail(failure);
                            self->received({self->incoming_.data(), size});
                            if (self->state_ != State::closed) self->read_some();
                          });
}

void RedisSession::received(std::string_view bytes) {
  progress_ = Clock::now();
  ping_unanswered_ = false;
  if (auto fed = reader_.feed(bytes); !fed) return fail(RedisFailure::connection, fed.error());
  while (state_ != State::closed) {
    auto reply = reader_.next();
    if (!reply) return fail(RedisFailure::connection, reply.error());
    if (!*reply) return;
    take_reply(std::move(**reply));
  }
}

void RedisSession::take_reply(RedisReply reply) {
  if (awaited_.empty()) {
    if (events_.message) return events_.message(std::move(reply));
    return fail(RedisFailure::connection, "protocol error: a reply to nothing");
  }
  Awaited& first = awaited_.front();
  first.replies.push_back(std::move(reply));
  if (--first.replies_left > 0) return;
  const Awaited done = std::move(first);
  awaited_.pop_front();
  outstanding_ -= done.bytes;
  if (done.done) done.done(done.replies);
}

bool RedisSession::is_awaiting() const { return !awaited_.empty() || ping_unanswered_; }

Time RedisSession::deadline() const {
  if (state_ == State::opening) return opened_ + options_.connect_timeout;
  return progress_ + (is_awaiting() ? options_.reply_timeout : options_.ping_every);
}

void RedisSession::arm() {
  timer_.expires_at(deadline());
  timer_.async_wait([self = shared_from_this()](error_code cancelled) {
    if (!cancelled && self->state_ != State::closed) self->expired();
  });
}

void RedisSession::expired() {
  if (Clock::now() < deadline()) return arm();
  if (state_ == State::opening) return fail(RedisFailure::timeout, "no answer within the time to connect");
  if (is_awaiting()) return fail(RedisFailure::timeout, "no reply within the time allowed");
  const RedisCommand ping{"PING"};
  if (!events_.message) return await(std::span(&ping, 1), {});
  tell(ping);
  ping_unanswered_ = true;
  progress_ = Clock::now();
  arm();
}

void RedisSession::fail(RedisFailure failure, std::string message) {
  close();
  events_.lost({failure, std::move(message)});
}

void RedisSession::fail(error_code failure) {
  std::string message = failure == asio::error::eof ? "the server closed the connection" : failure.message();
  if (!message.empty()) message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
  fail(RedisFailure::connection, std::move(message));
}

}  // namespace hotkeyd
