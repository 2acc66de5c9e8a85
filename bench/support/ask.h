// Commands to a daemon or a Redis, one at a time, waiting for the reply. Whoever gets no answer within 10 s
// gives up. One thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "bench/support/load_connection.h"
#include "resp/reply_parser.h"

namespace hotkeyd {

class AskConnection {
 public:
  // A path, or a port on 127.0.0.1.
  explicit AskConnection(const std::string& address) : address_(address), connection_(address) {}

  // Ends the program when nobody answers.
  RespValue ask(std::initializer_list<std::string_view> command);

 private:
  RespValue read_reply();

  std::string address_;
  LoadConnection connection_;
  ReplyParser parser_;
  std::string request_;
};

// The same on a connection of its own, for set-up and for reading counters.
RespValue ask(const std::string& address, std::initializer_list<std::string_view> command);

// The counters of HOTKEY STATS whose name begins with `prefix`, summed over their labels.
std::uint64_t counter(const std::string& address, std::string_view prefix);

}  // namespace hotkeyd
