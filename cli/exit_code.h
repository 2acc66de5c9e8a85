// What hotkeyctl says when it ends (sysexits.h where it has a name).
#pragma once

namespace hotkeyd {

enum CtlExitCode : int {
  ctl_exit_done = 0,
  ctl_exit_refused = 1,       // The daemon said no, or a file or the output failed.
  ctl_exit_usage = 64,        // Wrong command line.
  ctl_exit_unreachable = 69,  // No daemon, or it went away.
};

}  // namespace hotkeyd
