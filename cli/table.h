// Columns that line up: numbers to the right, words to the left, the last column as long as it is.
//
// Cells must be printable ASCII (shown_key). Pure; standard library only.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace hotkeyd {

class Table {
 public:
  struct Column {
    std::string title;
    bool is_number = false;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // As many cells as columns.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }
  // Title line and rows, each ended by a line feed. Nothing is added behind the last cell.
  std::string text() const;

 private:
  std::vector<std::size_t> widths() const;
  std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace hotkeyd
