// The application processes of `load`: this program again, each with a pipe that brings its notes.
//
// Started together; killed and waited for when this object goes. One thread.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/command_line.h"
#include "cli/daemon_connection.h"
#include "cli/load_note.h"

namespace hotkeyd {

class LoadProcesses {
 public:
  LoadProcesses() = default;
  ~LoadProcesses();
  LoadProcesses(const LoadProcesses&) = delete;
  LoadProcesses& operator=(const LoadProcesses&) = delete;

  // Each begins with its traffic at `start`.
  Result<void> start_all(const CtlCommandLine& line, Time start);

  // Notes with the number of the process they are from. Waits for the first until the deadline, also on
  // `other` (a descriptor, or -1), and returns when either has something.
  std::vector<std::pair<std::size_t, LoadNote>> wait_for_notes(int other, Time deadline);
  bool all_ended() const;

 private:
  struct Process {
    pid_t id = -1;
    OwnedDescriptor notes;  // Closed once the process has closed it.
    std::string line;       // Read so far.
  };

  Result<void> start_one(const CtlCommandLine& line, Time start, std::uint32_t number);
  void read_notes(std::size_t number, std::vector<std::pair<std::size_t, LoadNote>>& notes);

  std::vector<Process> processes_;
};

}  // namespace hotkeyd
