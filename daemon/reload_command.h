// HOTKEY RELOAD: takes the question from the data thread to the Reloader and brings the answer back.
//
// Replies wait here, on the data thread, where alone they may be answered; one a connection at most.
#pragma once

#include <cstdint>
#include <map>

#include "daemon/reloader.h"
#include "io/asio.h"
#include "server/deferred_reply.h"

namespace hotkeyd {

class ReloadCommand {
 public:
  ReloadCommand(asio::io_context& data, asio::io_context& control, Reloader& reloader)
      : data_(data), control_(control), reloader_(reloader) {}

  // Data thread.
  void ask(DeferredReply reply);

 private:
  void answer(std::uint64_t id, const Result<void>& outcome);

  asio::io_context& data_;
  asio::io_context& control_;
  Reloader& reloader_;
  std::map<std::uint64_t, DeferredReply> waiting_;  // Data thread.
  std::uint64_t last_id_ = 0;
};

}  // namespace hotkeyd
