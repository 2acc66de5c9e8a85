// The screen of `top`: a view and a size make lines, and lines make what a terminal is sent.
//
// Each line is printable ASCII whatever the keys, and at most as wide as the screen. Columns that a narrow
// screen has no room for are left out, the key last of all. Pure; one thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/top_view.h"

namespace hotkeyd {

struct ScreenSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};

struct ScreenLine {
  enum class Style { plain, bold, reverse };
  std::string text;
  Style style = Style::plain;
  bool operator==(const ScreenLine&) const = default;
};

// At most size.rows lines.
std::vector<ScreenLine> top_frame(const TopView& view, ScreenSize size);
// How many keys fit, at least 1: what TopView::page is.
std::size_t keys_that_fit(ScreenSize size);

// Overwrites the whole screen from its upper left corner.
std::string screen_bytes(const std::vector<ScreenLine>& lines);

// A key in at most `width` characters: cut at a whole escape, with three dots in place of what is missing.
std::string fitted_key(std::string_view key, std::size_t width);

// What a pipe gets: a headline and the first keys, each line ended; or one line of JSON with all of them.
std::string top_table(const TopSample& sample, std::size_t keys_max);
std::string top_json(const TopSample& sample);

}  // namespace hotkeyd
