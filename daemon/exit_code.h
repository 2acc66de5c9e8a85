// What the process says when it ends (sysexits.h).
#pragma once

namespace hotkeyd {

enum ExitCode : int {
  exit_done = 0,
  exit_usage = 64,     // Wrong command line.
  exit_software = 70,  // Internal fault, or a drain past its deadline.
  exit_config = 78,    // Bad configuration, or a listen address that cannot be had.
};

}  // namespace hotkeyd
