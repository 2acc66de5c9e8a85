#include "cli/ctl_session.h"

#include <iostream>
#include <utility>

#include "base/text.h"

namespace hotkeyd {

void complain(std::string_view reason) { std::cerr << "hotkeyctl: " << reason << "\n"; }

int CtlSession::fail(int exit_code, std::string_view reason) {
  complain(reason);
  return exit_code_ = exit_code;
}

DaemonConnection* CtlSession::connection() {
  if (connection_) return &*connection_;
  auto opened = DaemonConnection::open(daemon_);
  if (!opened) {
    fail(ctl_exit_unreachable, opened.error());
    return nullptr;
  }
  connection_.emplace(std::move(*opened));
  return &*connection_;
}

std::optional<RespValue> CtlSession::ask(std::initializer_list<std::string_view> arguments) {
  return ask(std::span(arguments.begin(), arguments.size()));
}

std::optional<RespValue> CtlSession::ask(std::span<const std::string_view> arguments) {
  DaemonConnection* const daemon = connection();
  if (daemon == nullptr) return std::nullopt;
  auto reply = daemon->call(arguments);
  if (!reply) {
    fail(ctl_exit_unreachable, reply.error());
    return std::nullopt;
  }
  if (reply->is_error()) {
    fail(ctl_exit_refused, "the daemon refused: " + redis_escape(reply->text));
    return std::nullopt;
  }
  return std::move(*reply);
}

std::optional<std::vector<std::string>> CtlSession::ask_many(
    std::initializer_list<std::string_view> arguments) {
  auto reply = ask(arguments);
  if (!reply) return std::nullopt;
  std::vector<std::string> texts;
  texts.reserve(reply->items.size());
  for (RespValue& item : reply->items) texts.push_back(std::move(item.text));
  return texts;
}

std::optional<std::string> CtlSession::ask_text(std::initializer_list<std::string_view> arguments) {
  auto reply = ask(arguments);
  if (!reply) return std::nullopt;
  return std::move(reply->text);
}

}  // namespace hotkeyd
