// The commands whose keys no position tells; each reads its options as the server does.
//
// - SORT: reads argument 1; the last STORE writes. BY and GET are patterns.
// - XREAD, XREADGROUP: reads the first half of what follows STREAMS; a group or a consumer may be called so
// too.
// - MIGRATE: writes (takes away) argument 3, or what follows KEYS if that is empty; with both, the server
// refuses.
// - GEORADIUS, GEORADIUSBYMEMBER: reads argument 1; the last STORE or STOREDIST writes.
// - BITFIELD: reads if every operation is a GET, else writes.
//
// They expect a number of arguments that the command's arity allows. Pure; no allocation; linear.
#pragma once

#include "resp/command_rows.h"

namespace hotkeyd {

// Counts keys and keeps those for which there is room.
class KeySink {
 public:
  explicit KeySink(std::span<KeyArgument> keys) : keys_(keys) {}

  void add(std::size_t index, KeyUse use, std::size_t value = 0);
  std::size_t count() const { return count_; }

 private:
  std::span<KeyArgument> keys_;
  std::size_t count_ = 0;
};

// For every kind but plain, container, script and quiet.
void add_odd_keys(CommandKind kind, Arguments arguments, KeySink& sink);

}  // namespace hotkeyd
