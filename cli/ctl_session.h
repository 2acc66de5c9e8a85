// The daemon as a verb sees it: asks one thing after the other, complains on standard error when there is no
// answer or a refusal, and knows what the program then exits with. One thread.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"
#include "cli/daemon_connection.h"
#include "cli/exit_code.h"

namespace hotkeyd {

// One line on standard error.
void complain(std::string_view reason);

class CtlSession {
 public:
  explicit CtlSession(const Endpoint& daemon) : daemon_(daemon) {}

  // The reply; nullopt after a complaint, and exit_code() says why. Connects with the first question.
  std::optional<RespValue> ask(std::span<const std::string_view> arguments);
  std::optional<RespValue> ask(std::initializer_list<std::string_view> arguments);
  // The same for replies that are an array of bulks, one bulk, or null (an empty string).
  std::optional<std::vector<std::string>> ask_many(std::initializer_list<std::string_view> arguments);
  std::optional<std::string> ask_text(std::initializer_list<std::string_view> arguments);

  // The connection itself, for verbs that listen; nullptr after a complaint.
  DaemonConnection* connection();
  int exit_code() const { return exit_code_; }
  int fail(int exit_code, std::string_view reason);

 private:
  Endpoint daemon_;
  std::optional<DaemonConnection> connection_;
  int exit_code_ = ctl_exit_done;
};

}  // namespace hotkeyd
