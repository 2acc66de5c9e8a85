// One event on its way to local subscribers: framed once for each way of subscribing that is in use, then
// shared.
//
// Pure; one thread (data).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "resp/writer.h"
#include "server/output_buffer.h"

namespace hotkeyd {

constexpr std::string_view kEventChannelPrefix = "hotkey:events:";

// An exact channel or a pattern, as a client wrote it.
struct Subscription {
  bool is_pattern = false;
  std::string name;
};

class Message {
 public:
  // `channel` and `event` are borrowed for as long as the message lives.
  Message(std::string_view channel, std::string_view event) : channel_(channel), event_(event) {}

  // ["message", channel, event] or ["pmessage", pattern, channel, event].
  SharedBytes frame(const Subscription& subscription, RespVersion version);

 private:
  struct Framed {
    RespVersion version;
    bool is_pattern;
    std::string pattern;
    SharedBytes bytes;
  };

  SharedBytes make(const Subscription& subscription, RespVersion version) const;

  std::string_view channel_;
  std::string_view event_;
  std::vector<Framed> framed_;  // At most a few: rarer patterns are framed anew.
};

}  // namespace hotkeyd
