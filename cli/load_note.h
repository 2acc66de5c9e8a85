// What a process of `load` tells the one that started it: a line of text through a pipe for each thing it
// noticed. Pure; standard library only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hotkeyd {

struct LoadNote {
  enum class Kind {
    first_access,  // Of the sale's key in the sale.
    hot,           // The SDK says the sale's key is hot.
    cold,          // It says so no longer.
    trouble,       // One sentence of the SDK.
    done,          // The end: figures.
  };
  Kind kind = Kind::done;
  std::int64_t at_ns = 0;      // Steady clock, the same in all processes: first_access, hot, cold.
  std::string text;            // trouble
  std::uint64_t recorded = 0;  // done, in accesses.
  std::uint64_t acknowledged = 0;
  std::uint64_t dropped = 0;
  std::uint64_t pending = 0;
  bool operator==(const LoadNote&) const = default;
};

// With its line feed.
std::string encode_note(const LoadNote& note);
std::optional<LoadNote> decode_note(std::string_view line);

}  // namespace hotkeyd
