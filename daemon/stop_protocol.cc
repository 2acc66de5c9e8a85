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

}  // namespace

void StopProtocol::begin(const std::string& signal, Duration drain) {
  has_begun_ = true;
  log_info("stopping", {{"signal", signal}});
  notify_stopping(drain + kStopMargin);
  drained_by_ = Clock::now() + drain;
  deadline_.start(drained_by_, [this] { past_the_deadline(); });
  asio::post(parts_.data, [this, patience = std::min(kPatienceMax, drain / 2)] {
    parts_.server.stop([this] { hand_over(); }, patience);
  });
}

// Data thread: nothing is decided any more, and the publishers have everything in their queues.
void StopProtocol::hand_over() {
  asio::post(parts_.control, [this] { flush_publishers(); });
  parts_.state.stop([this] { asio::post(parts_.control, [this] { saved(); }); });
}

void StopProtocol::flush_publishers() {
  is_handed_over_ = true;
  parts_.publishers.stop(drained_by_ - Clock::now(), [this](bool drained) { flushed(drained); });
}

void StopProtocol::saved() {
  is_saved_ = true;
  finish_if_done();
}

void StopProtocol::flushed(bool drained) {
  drained_ = drained;
  if (!drained) {
    log_error("not_drained", {{"cause", "a publisher could not send everything before the drain deadline"}});
  }
  finish_if_done();
}

void StopProtocol::finish_if_done() {
  if (!is_saved_ || !drained_) return;
  deadline_.cancel();
  finished_(*drained_);
}

void StopProtocol::past_the_deadline() const {
  std::string cause = "the drain deadline has passed";
  if (!is_handed_over_) cause += "; requests are not answered";
  if (is_handed_over_ && !is_saved_) cause += "; the disk has not taken the state file";
  if (is_handed_over_ && !drained_) cause += "; not ended:" + parts_.publishers.unfinished();
  log_error("not_drained", {{"cause", cause}});
  std::_Exit(exit_software);
}

}  // namespace hotkeyd
