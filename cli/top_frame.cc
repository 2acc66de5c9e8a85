#include "cli/top_frame.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "cli/format.h"

namespace hotkeyd {
namespace {

using Style = ScreenLine::Style;

constexpr std::size_t kLinesAbove = 3;  // Headline, status, titles.
constexpr std::size_t kKeyWidthMin = 20;
constexpr std::string_view kGap = "  ";

enum class Column { rank, rate, error, share, key_class, state };

struct ColumnText {
  Column column;
  std::string_view title;
  std::size_t width;
  bool is_number;
};

constexpr std::array<ColumnText, 6> kColumns{{{Column::rank, "RANK", 4, true},
                                              {Column::rate, "RATE/S", 9, true},
                                              {Column::error, "ERROR", 7, true},
                                              {Column::share, "SHARE", 5, true},
                                              {Column::key_class, "CLASS", 5, false},
                                              {Column::state, "STATE", 6, false}}};
// The order in which a narrow screen does without them.
constexpr std::array kGoFirst{Column::error, Column::share, Column::key_class,
                              Column::rank,  Column::state, Column::rate};

constexpr std::array<std::string_view, 14> kHelp{
    "",
    "  r  e  c  s  k   sort by rate, error, class, state, key; again: reverse",
    "  /               filter: text within the key, or a glob with * ? [a-z]",
    "                  Enter keeps it, Esc clears it",
    "  p or space      pause, and go on",
    "  arrows, pages   scroll; Home, End",
    "  h or ?          this help",
    "  q or Ctrl-C     quit",
    "",
    "  RATE/S is of the last second; the true rate is at most ERROR off.",
    "  SHARE is of all accesses of the namespace.",
    "  STATE: warm is not hot; pinned and denied are orders.",
    "",
    "  Any key goes back."};

std::string rounded(double rate) { return with_separators(static_cast<std::uint64_t>(std::llround(rate))); }

std::string cell(Column column, const TopSample& sample, const ShownKey& shown) {
  const RankedKey& key = *shown.key;
  const auto share = share_of(sample, key);
  switch (column) {
    case Column::rank:
      return std::to_string(shown.rank);
    case Column::rate:
      return with_separators(key.rate);
    case Column::error:
      return with_separators(key.error);
    case Column::share:
      return share ? in_percent(*share) : "-";
    case Column::key_class:
      return printable(key.key_class);
    case Column::state:
      return printable(key.state);
  }
  return {};
}

std::string padded(const std::string& text, const ColumnText& column) {
  const std::string padding(column.width - std::min(column.width, text.size()), ' ');
  return column.is_number ? padding + text : text + padding;
}

std::size_t width_of(const std::vector<ColumnText>& columns) {
  std::size_t width = 0;
  for (const ColumnText& column : columns) width += column.width + kGap.size();
  return width;
}

std::vector<ColumnText> columns_for(std::size_t width) {
  std::vector<ColumnText> columns(kColumns.begin(), kColumns.end());
  for (const Column gone : kGoFirst) {
    if (width_of(columns) + kKeyWidthMin <= width) break;
    std::erase_if(columns, [gone](const ColumnText& one) { return one.column == gone; });
  }
  return columns;
}

std::string titles(const std::vector<ColumnText>& columns) {
  std::string line;
  for (const ColumnText& column : columns)
    line += padded(std::string(column.title), column) + std::string(kGap);
  return line + "KEY";
}

std::string key_row(const std::vector<ColumnText>& columns, const TopSample& sample, const ShownKey& shown,
                    std::size_t width) {
  std::string line;
  for (const ColumnText& column : columns)
    line += padded(cell(column.column, sample, shown), column) + std::string(kGap);
  return line + fitted_key(shown.key->key, width - std::min(width, line.size()));
}

std::string headline(const TopSample& sample) {
  return printable(sample.ns) + " on " + printable(sample.node) + "   " + time_of_day(sample.at_ms, false) +
         "   " + (sample.rate ? rounded(*sample.rate) : "-") + "/s in all   " +
         with_separators(sample.hot_keys) + " hot, " + with_separators(sample.tracked_keys) + " tracked";
}

std::string order_text(const TopView& view) {
  return std::string("by ") + to_string(view.order) + (view.is_reversed ? ", reversed" : "");
}

ScreenLine status(const TopView& view) {
  if (view.edits_filter)
    return {"filter: " + redis_escape(view.filter) + "_   (Enter keeps it, Esc clears it)", Style::bold};
  if (!view.trouble.empty()) return {printable(view.trouble), Style::bold};
  if (!view.notice.empty()) return {printable(view.notice), Style::bold};
  std::string text = view.is_paused ? "PAUSED   " : "";
  if (!view.filter.empty()) text += "filter: " + redis_escape(view.filter) + "   ";
  return {text + order_text(view) + "   h help   q quit", view.is_paused ? Style::bold : Style::plain};
}

void add_keys(const TopView& view, ScreenSize size, std::vector<ScreenLine>& lines) {
  const auto columns = columns_for(size.columns);
  lines.push_back({titles(columns), Style::reverse});
  lines.back().text.resize(std::max(size.columns, lines.back().text.size()), ' ');
  if (!view.sample) return lines.push_back({"Waiting for the daemon.", Style::plain});
  const auto shown = shown_keys(view);
  if (shown.empty()) {
    const bool is_filtered = !view.sample->keys.empty();
    return lines.push_back(
        {is_filtered ? "No key passes the filter." : "No key was accessed lately.", Style::plain});
  }
  const std::size_t fit = keys_that_fit(size);
  const std::size_t first = std::min(view.first, shown.size() - std::min(shown.size(), fit));
  for (std::size_t i = first; i < std::min(shown.size(), first + fit); ++i) {
    const bool is_hot = shown[i].key->state == "hot" || shown[i].key->state == "pinned";
    lines.push_back(
        {key_row(columns, *view.sample, shown[i], size.columns), is_hot ? Style::bold : Style::plain});
  }
}

void cut(std::vector<ScreenLine>& lines, ScreenSize size) {
  if (lines.size() > size.rows) lines.resize(size.rows);
  for (ScreenLine& line : lines) {
    if (line.text.size() > size.columns) line.text.resize(size.columns);
  }
}

std::string_view begin_of(Style style) {
  switch (style) {
    case Style::plain:
      return "";
    case Style::bold:
      return "\x1b[1m";
    case Style::reverse:
      return "\x1b[7m";
  }
  return "";
}

}  // namespace

std::size_t keys_that_fit(ScreenSize size) {
  return size.rows > kLinesAbove + 1 ? size.rows - kLinesAbove : 1;
}

std::vector<ScreenLine> top_frame(const TopView& view, ScreenSize size) {
  std::vector<ScreenLine> lines;
  lines.push_back({view.sample ? headline(*view.sample) : std::string("hotkeyctl top"), Style::bold});
  lines.push_back(status(view));
  if (view.shows_help) {
    for (const std::string_view text : kHelp) lines.push_back({std::string(text), Style::plain});
  } else {
    add_keys(view, size, lines);
  }
  cut(lines, size);
  return lines;
}

std::string screen_bytes(const std::vector<ScreenLine>& lines) {
  std::string bytes = "\x1b[H";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view style = begin_of(lines[i].style);
    bytes += i == 0 ? "" : "\r\n";
    bytes.append(style).append(lines[i].text).append(style.empty() ? "" : "\x1b[0m").append("\x1b[K");
  }
  return bytes + "\x1b[J";
}

std::string fitted_key(std::string_view key, std::size_t width) {
  // An escape has at most 4 characters: what had to be cut there is longer than the width.
  std::string whole = redis_escape(key, width + 4);
  if (whole.size() <= width) return whole;
  constexpr std::string_view kDots = "...";
  if (width <= kDots.size()) return std::string(kDots.substr(0, width));
  return redis_escape(key, width - kDots.size()).append(kDots);
}

std::string top_table(const TopSample& sample, std::size_t keys_max) {
  const std::vector<ColumnText> columns(kColumns.begin(), kColumns.end());
  std::string text = headline(sample) + "\n" + titles(columns) + "\n";
  for (std::size_t i = 0; i < std::min(keys_max, sample.keys.size()); ++i) {
    text += key_row(columns, sample, {i + 1, &sample.keys[i]}, 200 + width_of(columns)) + "\n";
  }
  return text + "\n";
}

}  // namespace hotkeyd
