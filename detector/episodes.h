// The last hot episodes of a namespace, running ones included.
//
// At most 1000, and at most `key_bytes_max` of key bytes (only hostile keys come near it): the oldest goes
// first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "detector/detector.h"

namespace hotkeyd {

using EpisodeNumber = std::uint64_t;

class EpisodeLog {
 public:
  static constexpr std::size_t kEpisodesMax = 1000;

  explicit EpisodeLog(std::size_t key_bytes_max) : key_bytes_max_(key_bytes_max) {}

  // A key became hot; the number finds the episode again.
  EpisodeNumber start(Episode episode);
  // The episode, or null where it was dropped meanwhile.
  Episode* find(EpisodeNumber number);
  const Episode* find(EpisodeNumber number) const;
  // The last `n` started, newest first.
  std::vector<Episode> newest(std::size_t n) const;

 private:
  void drop_oldest();

  std::size_t key_bytes_max_;
  std::size_t key_bytes_ = 0;
  EpisodeNumber first_ = 0;  // Of the oldest kept.
  std::deque<Episode> episodes_;
};

}  // namespace hotkeyd
