// Commands: a table of name, arity, permission and handler, one file of handlers per family.
//
// `execute` checks name, number of arguments, rights and the subscribed state, and then calls the handler,
// which writes exactly one reply ((P)SUBSCRIBE and (P)UNSUBSCRIBE: one confirmation per channel), or defers
// it. A handler does what it has to do before it writes: events told by the command may go to the same
// connection. Data thread.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "detector/detector.h"
#include "resp/writer.h"
#include "server/client.h"
#include "server/deferred_reply.h"
#include "server/options.h"
#include "server/reports.h"
#include "server/resp_server.h"
#include "server/streams.h"
#include "server/subscriptions.h"

namespace hotkeyd {

// What commands work on. One per server.
struct CommandServices {
  const ServerOptions& options;
  const ServerHooks& hooks;
  Detector& detector;
  Streams& streams;
  Subscriptions& subscriptions;
  Reports& reports;
  std::function<DataStats()> stats;
  Now started;
};

struct Call {
  CommandServices& server;
  Client& client;
  std::span<const std::string_view> arguments;  // The command's own name first.
  Now now;
  RespWriter& reply;
  std::string& out;  // Where `reply` writes to.

  // Instead of a reply now. Nothing may be written to `reply` then.
  DeferredReply defer() const { return defer_reply(client); }
  DeferredReply defer_order() const { return defer_reply(client, true); }
};

struct CommandSpec {
  std::string_view name;  // Lower case; of a subcommand "hotkey|hit".
  int arity;              // Arguments with the name (and subcommand): exactly n, or at least -n.
  int arity_max;          // With a negative arity: at most, 0: any number.
  Permission permission;
  void (*handler)(Call& call);
  std::string_view summary;                       // For COMMAND DOCS.
  bool while_subscribed = false;                  // Also on a subscribed RESP2 connection.
  bool is_order = false;                          // Runs also while the replies of other orders wait.
  std::span<const CommandSpec> subcommands = {};  // Then `handler` is not called.
};

// The tables, one per family.
std::span<const CommandSpec> connection_commands();
std::span<const CommandSpec> subscription_commands();
std::span<const CommandSpec> server_commands();
std::span<const CommandSpec> hotkey_commands();  // HOTKEY alone, with its subcommands.

// Every command of the tables, and the one of that name (any case) or null.
std::span<const CommandSpec* const> all_commands();
const CommandSpec* find_server_command(std::string_view name);
const CommandSpec* find_subcommand(const CommandSpec& command, std::string_view name);

// Whether the request must wait for the replies that are still to come.
bool must_wait(const Client& client, std::span<const std::string_view> arguments);

// Runs one request; at least one argument. The reply goes to the client's output, unless it asked for
// silence. Returns the bytes of the reply, also of one that is not sent: the measure of the work done.
std::size_t execute(CommandServices& server, Client& client, std::span<const std::string_view> arguments,
                    Now now);

}  // namespace hotkeyd
