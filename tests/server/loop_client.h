// A client of a RespServer that lives in the same loop: blocking-free, for tests that run server and clients
// in one thread until something has happened.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/local/stream_protocol.hpp>

#include "base/clock.h"
#include "io/asio.h"
#include "resp/reply_parser.h"
#include "resp/writer.h"

namespace hotkeyd {

// Runs the loop until `done`; false when a generous time has passed.
inline bool run_until(asio::io_context& io, const std::function<bool()>& done) {
  const Time deadline = Clock::now() + std::chrono::seconds{60};
  while (!done() && Clock::now() < deadline) {
    io.restart();
    io.run_one_for(std::chrono::milliseconds{20});
  }
  return done();
}

class LoopClient {
 public:
  LoopClient(asio::io_context& io, const std::string& path) : io_(io), socket_(io) {
    socket_.connect(asio::local::stream_protocol::endpoint(path));
    socket_.non_blocking(true);
  }

  // As much as the socket takes; the rest goes out while waiting for replies.
  void send(std::string_view bytes) {
    to_send_ += bytes;
    write();
  }
  void send(std::initializer_list<std::string_view> command) {
    std::string bytes;
    append_command(bytes, command);
    send(bytes);
  }
  void stop_sending() {
    error_code ignored;
    socket_.shutdown(asio::local::stream_protocol::socket::shutdown_send, ignored);
  }

  // Everything that comes until `count` values have come.
  std::vector<RespValue> read(std::size_t count) {
    run_until(io_, [&] { return poll().size() >= count || closed_; });
    const auto size = static_cast<std::ptrdiff_t>(std::min(count, values_.size()));
    std::vector<RespValue> out(values_.begin(), values_.begin() + size);
    values_.erase(values_.begin(), values_.begin() + size);
    return out;
  }
  RespValue ask(std::initializer_list<std::string_view> command) {
    send(command);
    auto values = read(1);
    return values.empty() ? RespValue{} : values.front();
  }

  // Reads what is there; the values that have come so far.
  const std::vector<RespValue>& poll() {
    write();
    std::array<char, 65536> buffer;
    error_code error;
    for (;;) {
      const std::size_t size = socket_.read_some(asio::buffer(buffer), error);
      if (error) break;
      received_ += size;
      parser_.feed({buffer.data(), size});
    }
    closed_ = closed_ || error != asio::error::would_block;
    for (auto value = parser_.next(); value && *value; value = parser_.next())
      values_.push_back(std::move(**value));
    return values_;
  }

  // Whether the server has closed the connection.
  bool is_closed() {
    poll();
    return closed_;
  }
  bool wait_closed() {
    return run_until(io_, [&] { return is_closed(); });
  }
  std::size_t received() const { return received_; }
  // Bytes that lie in the socket, unread.
  std::size_t unread() { return socket_.available(); }
  bool all_sent() {
    write();
    return to_send_.empty();
  }

 private:
  void write() {
    error_code error;
    while (!error && !to_send_.empty()) to_send_.erase(0, socket_.write_some(asio::buffer(to_send_), error));
    if (error && error != asio::error::would_block) to_send_.clear();
  }

  asio::io_context& io_;
  asio::local::stream_protocol::socket socket_;
  ReplyParser parser_;
  std::vector<RespValue> values_;
  std::string to_send_;
  std::size_t received_ = 0;
  bool closed_ = false;
};

}  // namespace hotkeyd
