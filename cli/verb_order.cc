// pin, unpin, deny, allow, disable, enable, invalidate: gives one order and says that it holds.
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/ctl_session.h"
#include "cli/format.h"
#include "cli/verbs.h"

namespace hotkeyd {
namespace {

struct OrderText {
  std::string_view command;
  std::string_view done;
};

OrderText text_of_order(Verb verb) {
  switch (verb) {
    case Verb::pin:
      return {"PIN", "pinned"};
    case Verb::unpin:
      return {"UNPIN", "no longer pinned"};
    case Verb::deny:
      return {"DENY", "denied"};
    case Verb::allow:
      return {"ALLOW", "no longer denied"};
    case Verb::disable:
      return {"DISABLE", "disabled"};
    default:
      return {"ENABLE", "enabled"};
  }
}

// What the order is about: "product:1 in shop", "every namespace".
std::string subject(const CtlCommandLine& line) {
  const std::string where = line.ns == "*" ? "every namespace" : shown_key(line.ns);
  return line.keys.empty() ? where : shown_key(line.keys.front()) + " in " + where;
}

}  // namespace

int run_order(const CtlCommandLine& line) {
  const OrderText order = text_of_order(line.verb);
  std::vector<std::string_view> arguments = {"HOTKEY", order.command, line.ns};
  arguments.insert(arguments.end(), line.keys.begin(), line.keys.end());
  std::string expires_in;
  if (line.expires_in) {
    expires_in = std::to_string(line.expires_in->count());
    arguments.insert(arguments.end(), {"PX", expires_in});
  }
  CtlSession session(line.daemon);
  if (!session.ask(arguments)) return session.exit_code();
  if (line.json) {
    std::cout << "{\"ok\":true}\n";
    return ctl_exit_done;
  }
  std::cout << subject(line) << ": " << order.done;
  if (line.expires_in) std::cout << " for " << in_time(*line.expires_in);
  std::cout << "\n";
  return ctl_exit_done;
}

int run_invalidate(const CtlCommandLine& line) {
  std::vector<std::string_view> arguments = {"HOTKEY", "INVALIDATE", line.ns};
  arguments.insert(arguments.end(), line.keys.begin(), line.keys.end());
  CtlSession session(line.daemon);
  const auto reply = session.ask(arguments);
  if (!reply) return session.exit_code();
  if (line.json) {
    std::cout << "{\"told\":" << reply->integer << "}\n";
  } else {
    std::cout << "told " << counted(static_cast<std::uint64_t>(reply->integer), "subscriber", "subscribers")
              << "\n";
  }
  return ctl_exit_done;
}

}  // namespace hotkeyd
