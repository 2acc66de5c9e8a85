#include "base/glob.h"

#include <cstddef>

namespace hotkeyd {
namespace {

struct Step {
  bool matches;
  std::size_t size;  // Bytes of the glob that the step takes.
};

unsigned char byte(char c) { return static_cast<unsigned char>(c); }

// glob[0] == '['. As in Redis: an unclosed class ends with the glob, a range may be given backwards.
Step match_class(std::string_view glob, char c) {
  std::size_t at = 1;
  const bool negated = at < glob.size() && glob[at] == '^';
  if (negated) ++at;
  bool found = false;
  while (at < glob.size() && glob[at] != ']') {
    if (glob[at] == '\\' && at + 1 < glob.size()) {
      found |= glob[at + 1] == c;
      at += 2;
    } else if (at + 2 < glob.size() && glob[at + 1] == '-') {
      const auto low = byte(glob[at]) < byte(glob[at + 2]) ? byte(glob[at]) : byte(glob[at + 2]);
      const auto high = byte(glob[at]) < byte(glob[at + 2]) ? byte(glob[at + 2]) : byte(glob[at]);
      found |= byte(c) >= low && byte(c) <= high;
      at += 3;
    } else {
      found |= glob[at] == c;
      ++at;
    }
  }
  return {found != negated, at < glob.size() ? at + 1 : at};
}

Step match_one(std::string_view glob, char c) {
  if (glob[0] == '?') return {true, 1};
  if (glob[0] == '[') return match_class(glob, c);
  if (glob[0] == '\\' && glob.size() > 1) return {glob[1] == c, 2};
  return {glob[0] == c, 1};
}

}  // namespace

bool glob_matches(std::string_view glob, std::string_view text) {
  std::size_t g = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;  // Where the glob goes on after the last star.
  std::size_t retry = 0;                      // Where the text goes on when that star takes one byte more.
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = ++g;
      retry = t;
      continue;
    }
    if (g < glob.size()) {
      const Step step = match_one(glob.substr(g), text[t]);
      if (step.matches) {
        g += step.size;
        ++t;
        continue;
      }
    }
    if (star == std::string_view::npos) return false;
    g = star;
    t = ++retry;
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

}  // namespace hotkeyd
