// A unix or TCP connection that never waits: it sends what the socket takes and counts the replies that came.
//
// Made for generators of HOTKEY REPORT and HIT, whose replies are integers. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hotkeyd {

class LoadConnection {
 public:
  // A path, or a port on 127.0.0.1 where it is all digits. Ends the program with a message when nobody
  // listens.
  explicit LoadConnection(const std::string& address);
  ~LoadConnection();
  LoadConnection(const LoadConnection&) = delete;
  LoadConnection& operator=(const LoadConnection&) = delete;

  // Whether the bytes are on their way. False, with nothing sent, when the socket takes none or the rest of
  // the bytes before is not sent yet. The bytes must stay until `is_idle`.
  bool send(std::string_view bytes);
  // Sends more of what is left; true when nothing is.
  bool is_idle();
  // Takes the replies that are there.
  void read_replies();
  // Waits until there is something to read, or to write while bytes are left or `to_write`.
  void wait(int timeout_ms, bool to_write);

  int fd() const { return fd_; }
  std::uint64_t replies() const { return replies_; }
  std::uint64_t sum() const { return sum_; }  // Of all integer replies.

 private:
  std::size_t write_some(std::string_view bytes);
  void take_line();

  int fd_;
  std::string_view left_;
  std::string line_;
  std::uint64_t replies_ = 0;
  std::uint64_t sum_ = 0;
};

// Ends the program: says what failed and why.
[[noreturn]] void give_up(const std::string& what);

}  // namespace hotkeyd
