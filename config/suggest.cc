#include "config/suggest.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hotkeyd {
namespace {

constexpr std::size_t kWordMax = 64;

// Damerau-Levenshtein with adjacent swaps; row[i][j] compares the first i bytes of a with the first j of b.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> row(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) row[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) row[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = row[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[i][j] = std::min({row[i - 1][j] + 1, row[i][j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[i][j] = std::min(row[i][j], row[i - 2][j - 2] + 1);
    }
  }
  return row[a.size()][b.size()];
}

}  // namespace

std::optional<std::string_view> nearest_word(std::string_view word,
                                             std::span<const std::string_view> candidates) {
  if (word.size() > kWordMax) return std::nullopt;
  std::size_t fewest = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::optional<std::string_view> nearest;
  for (const std::string_view candidate : candidates) {
    const std::size_t count = edits(word, candidate);
    if (count >= fewest) continue;
    fewest = count;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace hotkeyd
