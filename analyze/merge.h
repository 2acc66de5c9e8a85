// Several recordings as one, by time: at equal times the recording named first comes first.
//
// Each must be in order itself; where it is not, its late accesses come when it is its turn. Pure; one
// thread.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "analyze/recording.h"

namespace hotkeyd {

class Merge {
 public:
  // The recordings must outlive it.
  explicit Merge(std::vector<Recording*> recordings) : recordings_(std::move(recordings)) {}

  // The next access, valid until the next call; null at the end of all.
  const ParsedAccess* next();

 private:
  struct Head {
    const ParsedAccess* access = nullptr;
    std::size_t recording = 0;
  };

  void start();
  void pull(std::size_t recording);
  static bool comes_later(const Head& a, const Head& b);

  std::vector<Recording*> recordings_;
  std::vector<Head> heads_;  // A heap: the earliest first.
  std::optional<std::size_t> taken_;
  bool is_started_ = false;
};

}  // namespace hotkeyd
