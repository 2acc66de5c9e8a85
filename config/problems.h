// The errors found in a configuration, each with its place.
//
// All are collected before anything is reported; at most `kProblemsMax` are kept, the rest is only counted.
// Reasons never hold a value from the file or the environment that could be a secret.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace hotkeyd {

inline constexpr std::size_t kProblemsMax = 100;

struct Place {
  std::size_t line = 1;  // Both count from 1; columns are bytes.
  std::size_t column = 1;
  bool operator<(const Place& other) const {
    return std::tie(line, column) < std::tie(other.line, other.column);
  }
  bool operator==(const Place&) const = default;
};

struct Problem {
  Place place;
  std::string path;  // "rules[0].promote.rate"; empty: the file as a whole.
  std::string reason;
};

class Problems {
 public:
  void add(Problem problem);
  void add(Place place, std::string path, std::string reason);
  bool empty() const { return problems_.empty(); }

  // "file:line:col: path: reason", by place.
  std::vector<std::string> lines(std::string_view file_name) const;

 private:
  std::vector<Problem> problems_;
  std::size_t left_out_ = 0;
};

}  // namespace hotkeyd
