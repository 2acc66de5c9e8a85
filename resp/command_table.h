// Which arguments of a Redis command are keys, and whether the command reads or writes each of them.
//
// The table is made at build time from resp/commands.txt, which comes from Valkey's own `COMMAND` reply
// (NOTICE). Nine commands in ten have their keys at fixed places or behind a count; what the reply cannot say
// is in resp/odd_commands.cc: the streams of XREAD, SORT's STORE, MIGRATE's KEYS, GEORADIUS' STORE, BITFIELD
// that only reads.
//
// A use is a write if the command changes, adds or removes what is stored under the key (LPOP, GETDEL,
// EXPIRE, EVAL with declared keys), else a read (GET, TTL, EXISTS, PFCOUNT). ZUNIONSTORE, COPY and their like
// read their sources and write their destination. Not listed, because they put no load on a value: OBJECT and
// MEMORY USAGE. Not keys: channels, SORT's BY and GET patterns (the server finds those keys in the data).
//
// Arguments are hostile: any bytes, wrong counts, a count of 2^63. What the server would refuse for its
// number of arguments or its count of keys has no keys. Pure; no allocation; time linear in the arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace hotkeyd {

enum class KeyUse : std::uint8_t { read, write };

struct KeyArgument {
  std::uint32_t index = 0;  // Of the key in the arguments; the command's name is argument 0.
  KeyUse use = KeyUse::read;
  std::uint32_t value = 0;  // Index of the argument that becomes the key's whole value (SET, MSET); 0: none.

  bool operator==(const KeyArgument&) const = default;
};

using Arguments = std::span<const std::string_view>;

// Finds the keys of `arguments` (name first) and writes them to `keys`, in the order in which the server
// tells them. Returns how many there are, which may be more than `keys` holds: the rest is not written. At
// most twice as many as there are arguments.
std::size_t keys_of(Arguments arguments, std::span<KeyArgument> keys);

// Whether the command is in the table, with its number of arguments and, where it has subcommands, a known
// one: the test whether bytes found in the middle of a stream are a command.
bool is_plausible_command(Arguments arguments);

// How a command of this name uses its first key: nullopt if it is unknown or has none.
std::optional<KeyUse> use_of(std::string_view name);

// Whether it is one of EVAL, EVALSHA, FCALL and their _RO forms, whose inner calls are accesses of their own.
bool runs_script(std::string_view name);

}  // namespace hotkeyd
