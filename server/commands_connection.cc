// PING, ECHO, QUIT, RESET, SELECT, HELLO, AUTH, CLIENT: what every client library says first. As Redis
// answers.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "server/command.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kNameSizeMax = 256;
constexpr std::string_view kWrongPassword = "WRONGPASS invalid username-password pair or user is disabled.";

void ping(Call& call) {
  const std::string_view text = call.arguments.size() > 1 ? call.arguments[1] : "";
  if (call.client.is_subscriber_only()) {
    call.reply.array(2);
    call.reply.bulk("pong");
    return call.reply.bulk(text);
  }
  if (call.arguments.size() > 1) return call.reply.bulk(text);
  call.reply.simple("PONG");
}

void echo(Call& call) { call.reply.bulk(call.arguments[1]); }

void quit(Call& call) {
  call.client.closes_after_flush = true;
  call.reply.simple("OK");
}

void reset(Call& call) {
  Client& client = call.client;
  call.server.subscriptions.unsubscribe_all(client.mailbox);
  client.name.clear();
  client.reply_mode = ReplyMode::on;
  client.set_version(RespVersion::resp2);
  RespWriter(client.output.replies(), client.version).simple("RESET");
}

void select(Call& call) {
  const auto index = parse_unsigned(call.arguments[1]);
  if (!index) return call.reply.error("ERR value is not an integer or out of range");
  if (*index != 0) return call.reply.error("ERR DB index is out of range");
  call.reply.simple("OK");
}

// Without users every password of the default user is right, as in Redis.
bool is_known_user(std::string_view user) { return user == "default"; }

void auth(Call& call) {
  if (call.arguments.size() == 2) {
    return call.reply.error(
        "ERR AUTH <password> called without any password configured for the default user. "
        "Are you sure your configuration is correct?");
  }
  if (!is_known_user(call.arguments[1])) return call.reply.error(kWrongPassword);
  call.reply.simple("OK");
}

bool is_valid_client_name(std::string_view name) {
  return name.size() <= kNameSizeMax &&
         std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

constexpr std::string_view kBadName =
    "ERR Client names cannot contain spaces, newlines or special characters, and are at most 256 bytes.";

struct HelloOptions {
  RespVersion version;
  std::optional<std::string_view> name;
  std::string error;
};

// Reads AUTH and SETNAME behind the version.
HelloOptions parse_hello(const Call& call) {
  HelloOptions out{call.client.version, std::nullopt, {}};
  const auto arguments = call.arguments;
  if (arguments.size() > 1) {
    const auto version = parse_unsigned(arguments[1]);
    if (!version) return {out.version, {}, "ERR Protocol version is not an integer or out of range"};
    if (*version != 2 && *version != 3) return {out.version, {}, "NOPROTO unsupported protocol version"};
    out.version = static_cast<RespVersion>(*version);
  }
  for (std::size_t at = 2; at < arguments.size();) {
    if (equals_ignore_case(arguments[at], "AUTH") && at + 2 < arguments.size()) {
      if (!is_known_user(arguments[at + 1])) out.error = kWrongPassword;
      at += 3;
    } else if (equals_ignore_case(arguments[at], "SETNAME") && at + 1 < arguments.size()) {
      out.name = arguments[at + 1];
      if (!is_valid_client_name(*out.name)) out.error = kBadName;
      at += 2;
    } else {
      return {out.version, {}, "ERR Syntax error in HELLO option '" + redis_escape(arguments[at], 128) + "'"};
    }
  }
  return out;
}

void hello(Call& call) {
  const HelloOptions options = parse_hello(call);
  if (!options.error.empty()) return call.reply.error(options.error);
  if (options.name) call.client.name = std::string(*options.name);
  call.client.set_version(options.version);
  RespWriter reply(call.out, options.version);
  reply.map(7);
  reply.bulk("server");
  reply.bulk("hotkeyd");
  reply.bulk("version");
  reply.bulk(call.server.options.version);
  reply.bulk("proto");
  reply.integer(static_cast<int>(options.version));
  reply.bulk("id");
  reply.integer(static_cast<std::int64_t>(call.client.id));
  reply.bulk("mode");
  reply.bulk("standalone");
  reply.bulk("role");
  reply.bulk("master");
  reply.bulk("modules");
  reply.array(0);
}

void client_alone(Call& call) { call.reply.error("ERR wrong number of arguments for 'client' command"); }

void client_setname(Call& call) {
  if (!is_valid_client_name(call.arguments[2])) return call.reply.error(kBadName);
  call.client.name = std::string(call.arguments[2]);
  call.reply.simple("OK");
}

void client_getname(Call& call) {
  if (call.client.name.empty()) return call.reply.null();
  call.reply.bulk(call.client.name);
}

void client_id(Call& call) { call.reply.integer(static_cast<std::int64_t>(call.client.id)); }

void client_setinfo(Call& call) {
  const std::string_view what = call.arguments[2];
  if (!equals_ignore_case(what, "LIB-NAME") && !equals_ignore_case(what, "LIB-VER")) {
    return call.reply.error("ERR Unrecognized option '" + redis_escape(what, 128) + "'");
  }
  call.reply.simple("OK");
}

void client_reply(Call& call) {
  const std::string_view mode = call.arguments[2];
  ReplyMode& current = call.client.reply_mode;
  if (equals_ignore_case(mode, "ON")) {
    current = ReplyMode::on;
    return RespWriter(call.client.output.replies(), call.client.version).simple("OK");
  }
  if (equals_ignore_case(mode, "OFF")) {
    current = ReplyMode::off;
  } else if (equals_ignore_case(mode, "SKIP")) {
    if (current != ReplyMode::off) current = ReplyMode::skip_next;
  } else {
    call.reply.error("ERR syntax error");
  }
}

// Redis's guard against browsers: an HTTP request's first words end the connection before its body is read.
void cross_protocol(Call& call) { call.client.closes_now = true; }

constexpr auto kNone = Permission::none;

constexpr std::array kClient{
    CommandSpec{"client|setname", 3, 0, kNone, client_setname, "Names the connection."},
    CommandSpec{"client|getname", 2, 0, kNone, client_getname, "Returns the name of the connection."},
    CommandSpec{"client|id", 2, 0, kNone, client_id, "Returns the unique number of the connection."},
    CommandSpec{"client|setinfo", 4, 0, kNone, client_setinfo,
                "Takes LIB-NAME and LIB-VER of a client library."},
    CommandSpec{"client|reply", 3, 0, kNone, client_reply,
                "Replies to all (ON), none (OFF), all but the next (SKIP)."},
};

constexpr std::array kConnection{
    CommandSpec{"ping", -1, 2, kNone, ping, "Answers PONG or the argument.", true},
    CommandSpec{"echo", 2, 0, kNone, echo, "Answers the argument."},
    CommandSpec{"quit", -1, 0, kNone, quit, "Closes the connection.", true},
    CommandSpec{"reset", 1, 0, kNone, reset, "Forgets the state of the connection.", true},
    CommandSpec{"select", 2, 0, kNone, select, "Takes 0, the only database."},
    CommandSpec{"hello", -1, 0, kNone, hello,
                "Chooses the protocol version: HELLO [2|3] [AUTH user pass] [SETNAME name]."},
    CommandSpec{"auth", -2, 3, kNone, auth, "Logs in: AUTH [user] password."},
    CommandSpec{"client", -2, 0, kNone, client_alone, "Commands about the connection.", false, false,
                kClient},
    CommandSpec{"post", -1, 0, kNone, cross_protocol, "Closes the connection: HTTP is not spoken here.",
                true},
    CommandSpec{"host:", -1, 0, kNone, cross_protocol, "Closes the connection: HTTP is not spoken here.",
                true},
};

}  // namespace

std::span<const CommandSpec> connection_commands() { return kConnection; }

}  // namespace hotkeyd
