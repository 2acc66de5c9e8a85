// The person's terminal while `top` has it: raw keys, the alternate screen, signals as events.
//
// Restored when this object goes, and while the program is suspended (Ctrl-Z). SIGINT, SIGTERM, SIGHUP,
// SIGQUIT, SIGWINCH and SIGTSTP come in as values through `signals` as long as it exists; other threads
// are not expected. One thread.
#pragma once

#include <termios.h>

#include <csignal>
#include <optional>
#include <string>
#include <string_view>

#include "cli/daemon_connection.h"
#include "cli/top_frame.h"

namespace hotkeyd {

class Terminal {
 public:
  // Whether both standard input and output are a terminal that can place its cursor.
  static bool is_there();

  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  ScreenSize size() const;
  void show(std::string_view bytes);
  // To be called when standard input is readable. What was typed; nullopt when the terminal is gone.
  std::optional<std::string> read_keys();

  // Readable when there is a signal; take_signal gives its number, 0 for none.
  int signals() const { return signals_.number(); }
  int take_signal();
  // Gives the terminal back, stops as the shell expects, and takes it again when continued.
  void suspend();

 private:
  void take();
  void give_back();

  termios before_{};
  sigset_t mask_before_{};
  OwnedDescriptor signals_;
  bool is_taken_ = false;
};

}  // namespace hotkeyd
