// What the server knows of one connection beyond its socket: name, protocol version, rights, output, mailbox.
//
// Commands work on a Client, so that they can be tested without a socket. Data thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "resp/writer.h"
#include "server/deferred_reply.h"
#include "server/mailbox.h"
#include "server/output_buffer.h"

namespace hotkeyd {

// What a command needs; `none` is free to everybody.
enum class Permission : unsigned { none = 0, report = 1, subscribe = 2, read = 4, admin = 8 };

enum class ReplyMode { on, off, skip_next, skipping };

struct Client {
  Client(std::uint64_t client_id, unsigned client_permissions, MailboxOptions mailbox_options)
      : id(client_id), permissions(client_permissions), mailbox(output, std::move(mailbox_options)) {}

  bool may(Permission permission) const {
    const auto bit = static_cast<unsigned>(permission);
    return (permissions & bit) == bit;
  }
  // A deferred reply is still to come.
  bool reply_waits() const { return !deferred.empty(); }
  bool is_muted() const { return reply_mode == ReplyMode::off || reply_mode == ReplyMode::skipping; }
  // In RESP2 a connection with subscriptions takes only a few commands.
  bool is_subscriber_only() const { return version == RespVersion::resp2 && mailbox.subscriptions() > 0; }
  void set_version(RespVersion wanted) {
    version = wanted;
    mailbox.set_version(wanted);
  }

  const std::uint64_t id;
  const unsigned permissions;  // Bits of Permission.
  std::string name;
  RespVersion version = RespVersion::resp2;
  ReplyMode reply_mode = ReplyMode::on;
  bool closes_after_flush = false;  // QUIT, protocol errors.
  bool closes_now = false;          // Not even a reply: an HTTP request.
  ReplyQueue deferred;
  std::function<void()> answered;  // A deferred reply is in the output; may be empty.
  OutputBuffer output;
  Mailbox mailbox;
};

// Without configured users: everything on the unix socket, all but orders over TCP.
unsigned permissions_without_users(bool is_unix);

}  // namespace hotkeyd
