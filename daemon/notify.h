// What the service manager is told (systemd's sd_notify); without one nothing happens. With
// daemon/activation.h the door to libsystemd.
//
// A unit of Type=notify counts as started with `notify_ready`, and a reload lasts from `notify_reloading` to
// the next `notify_ready`. Control thread.
#pragma once

#include <string>

#include "base/clock.h"

namespace hotkeyd {

// Sockets serve. `status` is one line for `systemctl status`.
void notify_ready(std::string status);
// `now`: when the reload began.
void notify_reloading(Time now);
// The stop may take `longest` from now on, also where the unit allows less.
void notify_stopping(Duration longest);
void notify_watchdog();

// How long the service manager waits for `notify_watchdog` before it ends the daemon; zero: it does not wait.
Duration watchdog_timeout();

}  // namespace hotkeyd
