#include "daemon/stop_signals.h"

#include <cstdlib>

#include "base/log.h"
#include "daemon/exit_code.h"

namespace hotkeyd {

void StopSignals::start() {
  signals_.async_wait([this](error_code error, int number) {
    if (!error) on_signal(number);
  });
}

void StopSignals::cancel() {
  error_code ignored;
  signals_.cancel(ignored);
}

void StopSignals::on_signal(int number) {
  const std::string name = number == SIGINT ? "SIGINT" : "SIGTERM";
  if (!std::exchange(stopping_, true)) {
    stop_(name);
  } else if (number == SIGINT) {
    log_error("not_drained", {{"cause", "a second SIGINT: ends at once"}});
    std::_Exit(exit_software);
  } else {
    log_info("stopping", {{"signal", name}, {"note", "already stopping; SIGINT ends at once"}});
  }
  start();
}

}  // namespace hotkeyd
