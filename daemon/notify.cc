#include "daemon/notify.h"

#include <systemd/sd-daemon.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace hotkeyd {
namespace {

std::string microseconds(Duration duration) {
  return std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(duration).count());
}

// Nobody to tell is no error, and one who cannot be told would learn nothing from it either.
void notify(const std::string& lines) { static_cast<void>(sd_notify(0, lines.c_str())); }

}  // namespace

void notify_ready(std::string status) {
  std::replace(status.begin(), status.end(), '\n', ' ');  // A line ends where the next variable begins.
  notify("READY=1\nSTATUS=" + status);
}

void notify_reloading(Time now) {
  notify("RELOADING=1\nMONOTONIC_USEC=" + microseconds(now.time_since_epoch()) +
         "\nSTATUS=Reading the configuration");
}

void notify_stopping(Duration longest) {
  notify("STOPPING=1\nEXTEND_TIMEOUT_USEC=" + microseconds(longest) +
         "\nSTATUS=Handing over what was acknowledged");
}

void notify_watchdog() { notify("WATCHDOG=1"); }

Duration watchdog_timeout() {
  std::uint64_t timeout_us = 0;
  if (sd_watchdog_enabled(0, &timeout_us) <= 0) return Duration::zero();
  constexpr std::uint64_t kLongest = 86'400'000'000;
  return std::chrono::microseconds{timeout_us < kLongest ? timeout_us : kLongest};
}

}  // namespace hotkeyd
