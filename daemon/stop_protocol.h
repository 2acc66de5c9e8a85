// The end of the daemon, step by step, within the drain deadline:
//
//   data     nobody new; what was read is answered and counted; last tick; everything decided is told
//   data     the state file takes the last hot set
//   control  publishers flush
//
// What was acknowledged is thereby counted, and its events handed over. `finished` says whether all of it was
// done in time; where a thread hangs nothing can be waited for: the process ends with 70 at the deadline.
// Control thread.
#pragma once

#include <functional>
#include <string>

#include "daemon/publishers.h"
#include "daemon/state_service.h"
#include "io/timer.h"
#include "server/resp_server.h"

namespace hotkeyd {

class StopProtocol {
 public:
  struct Parts {
    asio::io_context& control;
    asio::io_context& data;
    RespServer& server;
    StateService& state;
    Publishers& publishers;
  };
  using Finished = std::function<void(bool drained)>;

  StopProtocol(Parts parts, Finished finished)
      : parts_(parts), finished_(std::move(finished)), deadline_(parts.control) {}

  // Once.
  void begin(const std::string& signal, Duration drain);
  bool has_begun() const { return has_begun_; }

 private:
  void save_state();
  void flush_publishers();
  void finish(bool drained);

  Parts parts_;
  const Finished finished_;
  Timer deadline_;
  Time drained_by_{};
  bool has_begun_ = false;
};

}  // namespace hotkeyd
