// A daemon for tests that says what it was told to say, whatever it is asked.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/endpoint.h"

namespace hotkeyd {

// The answer to HELLO 3.
inline constexpr std::string_view kHello = "%1\r\n+proto\r\n:3\r\n";

// Accepts one connection, sends what it was given, and closes when it is destroyed or told to.
class CannedServer {
 public:
  explicit CannedServer(std::string bytes, bool closes = false) {
    char folder[] = "/tmp/hotkeyctl-test.XXXXXX";
    folder_ = mkdtemp(folder);
    path_ = folder_ + "/s";
    listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path_.data(), path_.size());
    EXPECT_EQ(bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(listener_, 1), 0);
    thread_ = std::thread([this, bytes = std::move(bytes), closes] { serve(bytes, closes); });
  }
  ~CannedServer() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    if (peer_ >= 0) close(peer_);
    close(listener_);
    std::filesystem::remove_all(folder_);
  }

  Endpoint endpoint() const { return *parse_endpoint("unix://" + path_, "unix"); }

 private:
  void serve(const std::string& bytes, bool closes) {
    peer_ = accept(listener_, nullptr, nullptr);
    if (peer_ < 0) return;
    EXPECT_EQ(send(peer_, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
    if (closes) shutdown(peer_, SHUT_WR);
  }

  std::string folder_;
  std::string path_;
  int listener_ = -1;
  int peer_ = -1;
  std::thread thread_;
};

}  // namespace hotkeyd
