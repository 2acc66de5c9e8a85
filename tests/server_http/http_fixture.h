// An HttpServer on a free port and clients of it, all in one io_context that the test itself turns.
//
// Nothing waits by time: `until` turns the loop until what the test looks for has happened.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "server/http_server.h"

namespace hotkeyd {

// Sends bytes and collects whatever comes back until the server closes.
class HttpClient {
 public:
  HttpClient(asio::io_context& io, std::uint16_t port) : socket_(io) {
    socket_.connect({asio::ip::make_address("127.0.0.1"), port});
    read_more();
  }

  void send(const std::string& bytes) { asio::write(socket_, asio::buffer(bytes)); }
  void finish_sending() { socket_.shutdown(asio::socket_base::shutdown_send); }
  bool is_closed() const { return is_closed_; }
  const std::string& received() const { return received_; }

 private:
  void read_more() {
    socket_.async_read_some(asio::buffer(chunk_), [this](error_code error, std::size_t size) {
      if (error == asio::error::operation_aborted) return;
      received_.append(chunk_.data(), size);
      is_closed_ = error.failed();
      if (!error) read_more();
    });
  }

  asio::ip::tcp::socket socket_;
  std::array<char, 4096> chunk_{};
  std::string received_;
  bool is_closed_ = false;
};

class HttpFixture : public testing::Test {
 protected:
  HttpFixture() {
    options_.listen = *parse_endpoint("tcp://127.0.0.1:0", "tcp");
    hooks_.metrics = [this](std::function<void(std::string)> done) {
      is_held_ ? held_.push_back(std::move(done)) : done("hotkeyd_up 1\n");
    };
    hooks_.readiness = [this] { return readiness_; };
  }

  void start() {
    server_ = std::make_unique<HttpServer>(io_, options_, hooks_);
    const auto listening = server_->listen();
    ASSERT_TRUE(listening) << listening.error();
    const std::string address = *server_->bound_address();
    port_ = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  }

  std::unique_ptr<HttpClient> connect() { return std::make_unique<HttpClient>(io_, port_); }

  // Turns the loop until the claim holds; a minute without that is a failure.
  void until(const std::function<bool()>& claim) {
    io_.restart();
    while (!claim()) ASSERT_GT(io_.run_one_for(std::chrono::minutes{1}), 0U) << "nothing more happens";
  }

  // The whole answer to these bytes, on a connection of its own.
  std::string exchange(const std::string& bytes) {
    const auto client = connect();
    client->send(bytes);
    client->finish_sending();
    until([&] { return client->is_closed(); });
    return client->received();
  }
  std::string get(const std::string& path) {
    return exchange("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
  }
  static std::string status(const std::string& answer) { return answer.substr(0, answer.find("\r\n")); }
  static std::string body(const std::string& answer) {
    const std::size_t end = answer.find("\r\n\r\n");
    return end == std::string::npos ? "" : answer.substr(end + 4);
  }

  asio::io_context io_;
  HttpOptions options_;
  HttpHooks hooks_;
  Readiness readiness_;
  bool is_held_ = false;  // Whether /metrics keeps its callers waiting, in `held_`.
  std::vector<std::function<void(std::string)>> held_;
  std::unique_ptr<HttpServer> server_;
  std::uint16_t port_ = 0;
};

}  // namespace hotkeyd
