// Which of the running things a new list keeps: listeners and publishers of a reload. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace hotkeyd {

// For each wanted one the index of the running one it keeps, each kept at most once; nullopt: it is new.
template <typename T, typename IsSame>
std::vector<std::optional<std::size_t>> match_kept(const std::vector<T>& running,
                                                   const std::vector<T>& wanted, IsSame is_same) {
  std::vector<std::optional<std::size_t>> kept(wanted.size());
  std::vector<bool> taken(running.size(), false);
  for (std::size_t w = 0; w < wanted.size(); ++w) {
    for (std::size_t r = 0; r < running.size() && !kept[w]; ++r) {
      if (taken[r] || !is_same(running[r], wanted[w])) continue;
      taken[r] = true;
      kept[w] = r;
    }
  }
  return kept;
}

}  // namespace hotkeyd
