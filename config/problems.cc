#include "config/problems.h"

#include <algorithm>
#include <utility>

namespace hotkeyd {
namespace {

std::string line_of(const Problem& problem, std::string_view file_name) {
  const std::string path = problem.path.empty() ? "" : problem.path + ": ";
  return std::string(file_name) + ":" + std::to_string(problem.place.line) + ":" +
         std::to_string(problem.place.column) + ": " + path + problem.reason;
}

}  // namespace

void Problems::add(Problem problem) {
  if (problems_.size() == kProblemsMax) {
    ++left_out_;
    return;
  }
  problems_.push_back(std::move(problem));
}

void Problems::add(Place place, std::string path, std::string reason) {
  add({place, std::move(path), std::move(reason)});
}

std::vector<std::string> Problems::lines(std::string_view file_name) const {
  std::vector<Problem> sorted = problems_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Problem& a, const Problem& b) { return a.place < b.place; });
  if (left_out_ > 0) {
    sorted.push_back({sorted.back().place, "", "and " + std::to_string(left_out_) + " more errors"});
  }
  std::vector<std::string> lines;
  lines.reserve(sorted.size());
  for (const Problem& problem : sorted) lines.push_back(line_of(problem, file_name));
  return lines;
}

}  // namespace hotkeyd
