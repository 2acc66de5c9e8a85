// The end of the daemon, step by step, within the drain deadline:
//
//   data     nobody new; what was read is answered and counted; last tick; everything decided is told
//   then, at the same time, for neither may cost the other its time:
//   state    the state file takes the last hot set
//   control  publishers flush
//
// What was acknowledged is thereby counted, and its events handed over. `finished` says whether all of it was
// done in time; where a thread or the disk hangs nothing can be waited for: the process ends with 70 at the
// deadline, and says what was not done.
// Control thread.
#pragma once

#include <functional>
#include <optional>
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
  void hand_over();
  void flush_publishers();
  void saved();
  void flushed(bool drained);
  void finish_if_done();
  [[noreturn]] void past_the_deadline() const;

  Parts parts_;
  const Finished finished_;
  Timer deadline_;
  Time drained_by_{};
  bool has_begun_ = false;
  bool is_handed_over_ = false;
  bool is_saved_ = false;
  std::optional<bool> drained_;  // Of the publishers, once they have ended.
};

}  // namespace hotkeyd
