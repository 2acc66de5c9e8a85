#include "cli/table.h"

#include <algorithm>
#include <string_view>

namespace hotkeyd {
namespace {

constexpr std::string_view kGap = "  ";

}  // namespace

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    std::size_t width = columns_[column].title.size();
    for (const auto& row : rows_) width = std::max(width, row[column].size());
    widths.push_back(width);
  }
  if (!columns_.empty() && !columns_.back().is_number) widths.back() = 0;
  return widths;
}

std::string Table::line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const {
  std::string line;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    const std::string padding(widths[column] - std::min(widths[column], cells[column].size()), ' ');
    if (column > 0) line += kGap;
    line += columns_[column].is_number ? padding + cells[column] : cells[column] + padding;
  }
  return line + "\n";
}

std::string Table::text() const {
  const std::vector<std::size_t> widths = this->widths();
  std::vector<std::string> titles;
  titles.reserve(columns_.size());
  for (const Column& column : columns_) titles.push_back(column.title);
  std::string out = line(titles, widths);
  for (const auto& row : rows_) out += line(row, widths);
  return out;
}

}  // namespace hotkeyd
