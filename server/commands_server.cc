// COMMAND, INFO, CONFIG GET: what tools ask of any Redis server.
#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "base/glob.h"
#include "base/text.h"
#include "server/command.h"
#include "server/info.h"

namespace hotkeyd {
namespace {

std::string_view permission_name(Permission permission) {
  switch (permission) {
    case Permission::report:
      return "@report";
    case Permission::subscribe:
      return "@subscribe";
    case Permission::read:
      return "@read";
    case Permission::admin:
      return "@admin";
    case Permission::none:
      break;
  }
  return "@connection";
}

// As Redis 7: name, arity, flags, first key, last key, step, categories, tips, key specifications,
// subcommands.
void describe(RespWriter& reply, const CommandSpec& spec) {
  reply.array(10);
  reply.bulk(spec.name);
  reply.integer(spec.arity);
  reply.array(0);
  for (int i = 0; i < 3; ++i) reply.integer(0);
  reply.array(1);
  reply.simple(permission_name(spec.permission));
  reply.array(0);
  reply.array(0);
  reply.array(spec.subcommands.size());
  for (const CommandSpec& subcommand : spec.subcommands) describe(reply, subcommand);
}

void command(Call& call) {
  call.reply.array(all_commands().size());
  for (const CommandSpec* spec : all_commands()) describe(call.reply, *spec);
}

void command_count(Call& call) { call.reply.integer(static_cast<std::int64_t>(all_commands().size())); }

void command_info(Call& call) {
  if (call.arguments.size() == 2) return command(call);
  call.reply.array(call.arguments.size() - 2);
  for (const std::string_view name : call.arguments.subspan(2)) {
    const CommandSpec* spec = find_server_command(name);
    spec != nullptr ? describe(call.reply, *spec) : call.reply.null();
  }
}

void document(RespWriter& reply, const CommandSpec& spec) {
  const bool has_subcommands = !spec.subcommands.empty();
  reply.bulk(spec.name);
  reply.map(has_subcommands ? 3 : 2);
  reply.bulk("summary");
  reply.bulk(spec.summary);
  reply.bulk("group");
  reply.bulk(spec.name.starts_with("hotkey") ? "hotkey" : "server");
  if (!has_subcommands) return;
  reply.bulk("subcommands");
  reply.map(spec.subcommands.size());
  for (const CommandSpec& subcommand : spec.subcommands) document(reply, subcommand);
}

void command_docs(Call& call) {
  std::vector<const CommandSpec*> wanted;
  for (const std::string_view name : call.arguments.subspan(2)) {
    if (const CommandSpec* spec = find_server_command(name)) wanted.push_back(spec);
  }
  if (call.arguments.size() == 2) wanted.assign(all_commands().begin(), all_commands().end());
  call.reply.map(wanted.size());
  for (const CommandSpec* spec : wanted) document(call.reply, *spec);
}

void info(Call& call) {
  const std::string_view section = call.arguments.size() > 1 ? call.arguments[1] : "all";
  call.reply.bulk(info_text(call.server, section, call.now));
}

// Setting names are short: a longer pattern can only be meant to cost time.
constexpr std::size_t kPatternSizeMax = 256;

bool is_wanted(std::span<const std::string_view> patterns, std::string_view name) {
  return std::any_of(patterns.begin(), patterns.end(), [&](std::string_view pattern) {
    return pattern.size() <= kPatternSizeMax && glob_matches(to_lower(pattern), to_lower(name));
  });
}

void config_get(Call& call) {
  std::map<std::string, std::string> found;
  const auto& pairs = call.server.hooks.config_pairs;
  for (auto& [name, value] : pairs ? pairs() : std::vector<std::pair<std::string, std::string>>{}) {
    if (is_wanted(call.arguments.subspan(2), name)) found[name] = value;
  }
  call.reply.map(found.size());
  for (const auto& [name, value] : found) {
    call.reply.bulk(name);
    call.reply.bulk(value);
  }
}

void config(Call& call) { call.reply.error("ERR wrong number of arguments for 'config' command"); }

constexpr std::array kCommand{
    CommandSpec{"command|count", 2, 0, Permission::none, command_count, "Returns the number of commands."},
    CommandSpec{"command|info", -2, 1024, Permission::none, command_info, "Describes some commands, or all."},
    CommandSpec{"command|docs", -2, 1024, Permission::none, command_docs, "Explains some commands, or all."},
};

constexpr std::array kConfig{
    CommandSpec{"config|get", -3, 64, Permission::read, config_get,
                "Shows the configuration, without secrets."},
};

constexpr std::array kServerCommands{
    CommandSpec{"command", -1, 0, Permission::none, command, "Describes all commands.", false, false,
                kCommand},
    CommandSpec{"info", -1, 2, Permission::read, info, "Shows the state of the daemon in sections of lines."},
    CommandSpec{"config", -2, 0, Permission::none, config, "Commands about the configuration.", false, false,
                kConfig},
};

}  // namespace

std::span<const CommandSpec> server_commands() { return kServerCommands; }

}  // namespace hotkeyd
