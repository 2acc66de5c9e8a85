// "Did you mean ...?": the known word that a typing error most likely stands for. Pure.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace hotkeyd {

// The candidate with the fewest edits (insertion, deletion, replacement, swap of neighbours), at most a third
// of the word's length and at least one; nullopt where none is that near. Words over 64 bytes have none.
std::optional<std::string_view> nearest_word(std::string_view word,
                                             std::span<const std::string_view> candidates);

}  // namespace hotkeyd
