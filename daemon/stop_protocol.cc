#include "daemon/stop_protocol.h"

#include <algorithm>
#include <cstdlib>

#include "base/log.h"
#include "daemon/exit_code.h"
#include "daemon/notify.h"

namespace hotkeyd {
namespace {

constexpr Duration kPatienceMax = std::chrono::seconds{1};  // With clients that do not read at the end.
constexpr Duration kStopMargin = std::chrono::seconds{5};   // Between our deadline and the manager's.

[[noreturn]] void past_the_deadline() {
  log_error("not_drained", {{"cause", "the drain deadline has passed"}});
  std::_Exit(exit_software);
}

}  // namespace

void StopProtocol::begin(const std::string& signal, Duration drain) {
  has_begun_ = true;
  log_info("stopping", {{"signal", signal}});
  notify_stopping(drain + kStopMargin);
  drained_by_ = Clock::now() + drain;
  deadline_.start(drained_by_, past_the_deadline);
  asio::post(parts_.data, [this, patience = std::min(kPatienceMax, drain / 2)] {
    parts_.server.stop([this] { save_state(); }, patience);
  });
}

// Data thread: nothing is decided any more.
void StopProtocol::save_state() {
  parts_.state.stop([this] { asio::post(parts_.control, [this] { flush_publishers(); }); });
}

// Everything is told: the publishers have it in their queues.
void StopProtocol::flush_publishers() {
  parts_.publishers.stop(drained_by_ - Clock::now(), [this](bool drained) { finish(drained); });
}

void StopProtocol::finish(bool drained) {
  deadline_.cancel();
  if (!drained) {
    log_error("not_drained", {{"cause", "a publisher could not send everything before the drain deadline"}});
  }
  finished_(drained);
}

}  // namespace hotkeyd
