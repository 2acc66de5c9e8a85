#include "server/command.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kShownMax = 128;  // Bytes of a client's words in an error.

std::string shown(std::string_view word) { return redis_escape(word, kShownMax); }

std::vector<const CommandSpec*> collect() {
  std::vector<const CommandSpec*> out;
  for (const auto table :
       {hotkey_commands(), connection_commands(), subscription_commands(), server_commands()}) {
    for (const CommandSpec& spec : table) out.push_back(&spec);
  }
  return out;
}

std::string unknown_command(std::span<const std::string_view> arguments) {
  std::string out = "ERR unknown command '" + shown(arguments[0]) + "', with args beginning with: ";
  for (const std::string_view argument : arguments.subspan(1)) {
    if (out.size() > 2 * kShownMax) break;
    out += "'" + shown(argument) + "' ";
  }
  return out;
}

bool has_right_number(const CommandSpec& spec, std::size_t arguments) {
  const auto count = static_cast<int>(arguments);
  if (spec.arity >= 0) return count == spec.arity;
  return count >= -spec.arity && (spec.arity_max == 0 || count <= spec.arity_max);
}

// Why this client may not call it like this; empty when it may.
std::string refusal(const CommandSpec& spec, const Client& client, std::size_t arguments) {
  if (!has_right_number(spec, arguments)) {
    return "ERR wrong number of arguments for '" + std::string(spec.name) + "' command";
  }
  if (!client.may(spec.permission)) {
    return "NOPERM '" + std::string(spec.name) + "' needs the unix socket: over TCP no orders are taken";
  }
  if (client.is_subscriber_only() && !spec.while_subscribed) {
    return "ERR Can't execute '" + std::string(spec.name) +
           "': only (P)SUBSCRIBE / (P)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context";
  }
  return {};
}

// The command, or the subcommand, that the arguments name. Null: `error` says why.
const CommandSpec* choose(std::span<const std::string_view> arguments, std::string& error) {
  const CommandSpec* command = find_server_command(arguments[0]);
  if (command == nullptr) {
    error = unknown_command(arguments);
    return nullptr;
  }
  if (command->subcommands.empty() || arguments.size() < 2) return command;
  const CommandSpec* subcommand = find_subcommand(*command, arguments[1]);
  if (subcommand == nullptr) {
    error = "ERR unknown subcommand '" + shown(arguments[1]) + "' of '" + std::string(command->name) + "'";
  }
  return subcommand;
}

void run(CommandServices& server, Client& client, std::span<const std::string_view> arguments, Now now,
         std::string& out) {
  RespWriter reply(out, client.version);
  std::string error;
  const CommandSpec* spec = choose(arguments, error);
  if (spec != nullptr) error = refusal(*spec, client, arguments.size());
  if (!error.empty()) return reply.error(error);
  Call call{server, client, arguments, now, reply, out};
  spec->handler(call);
}

// A command that is silenced writes into nothing; CLIENT REPLY itself moves the modes on.
std::size_t run_muted(CommandServices& server, Client& client, std::span<const std::string_view> arguments,
                      Now now) {
  std::string nothing;
  run(server, client, arguments, now, nothing);
  if (client.reply_mode == ReplyMode::skipping) client.reply_mode = ReplyMode::on;
  return nothing.size();
}

// An order behind others: a reply that it has at once still waits for its turn.
std::size_t run_behind(CommandServices& server, Client& client, std::span<const std::string_view> arguments,
                       Now now) {
  const std::size_t added = client.deferred.added();
  std::string reply;
  run(server, client, arguments, now, reply);
  const std::size_t size = reply.size();
  if (client.deferred.added() == added) queue_reply(client, std::move(reply));
  return size;
}

}  // namespace

std::span<const CommandSpec* const> all_commands() {
  static const std::vector<const CommandSpec*> commands = collect();
  return commands;
}

const CommandSpec* find_server_command(std::string_view name) {
  for (const CommandSpec* spec : all_commands()) {
    if (equals_ignore_case(spec->name, name)) return spec;
  }
  return nullptr;
}

const CommandSpec* find_subcommand(const CommandSpec& command, std::string_view name) {
  for (const CommandSpec& spec : command.subcommands) {
    if (equals_ignore_case(spec.name.substr(command.name.size() + 1), name)) return &spec;
  }
  return nullptr;
}

bool must_wait(const Client& client, std::span<const std::string_view> arguments) {
  if (!client.reply_waits()) return false;
  std::string error;
  const CommandSpec* spec = choose(arguments, error);
  return spec == nullptr || !spec->is_order || !client.deferred.takes_orders();
}

std::size_t execute(CommandServices& server, Client& client, std::span<const std::string_view> arguments,
                    Now now) {
  if (client.reply_mode == ReplyMode::skip_next) client.reply_mode = ReplyMode::skipping;
  if (client.is_muted()) return run_muted(server, client, arguments, now);
  if (client.reply_waits()) return run_behind(server, client, arguments, now);
  const std::size_t before = client.output.size(OutputBuffer::Kind::reply);
  run(server, client, arguments, now, client.output.replies());
  return client.output.size(OutputBuffer::Kind::reply) - before;
}

}  // namespace hotkeyd
