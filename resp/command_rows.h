// The rows of the command table and the way to find one by name.
//
// Names are hashed without a seed: the table is constant, so an unknown name costs at most the longest run of
// rows in it, whatever it is. Pure; no allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "resp/command_table.h"

namespace hotkeyd {

enum class CommandKind : std::uint8_t {
  plain,
  container,  // Has subcommands, which are rows of their own.
  script,
  quiet,  // Its keys are told to nobody.
  sort,
  streams,
  migrate,
  georadius,
  bitfield,
};

enum class KeyFind : std::uint8_t { none, range, count };

struct KeySpec {
  KeyFind find = KeyFind::none;
  KeyUse use = KeyUse::read;
  std::uint8_t begin = 0;  // Index of the first key (range) or of the number of keys (count).
  std::int8_t last =
      0;  // Range: of the last key, counted from `begin`; negative: from the end, -1 is the last argument.
  std::uint8_t step = 1;
  std::uint8_t value = 0;  // How far behind the key its value stands.
};

struct CommandRow {
  std::string_view name;  // Lower case.
  std::string_view subcommand;
  std::int8_t arity = 0;  // Arguments with the name; negative: at least so many.
  CommandKind kind = CommandKind::plain;
  std::array<KeySpec, 2> specs;
};

std::span<const CommandRow> command_rows();

// The command's row, or its subcommand's where it has any; nullptr: neither Redis nor Valkey knows it.
const CommandRow* find_command(Arguments arguments);

// The row of a command without subcommands, or of a container.
const CommandRow* find_command(std::string_view name);

}  // namespace hotkeyd
