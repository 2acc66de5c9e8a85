#include "detector/episodes.h"

#include <algorithm>
#include <utility>

namespace hotkeyd {

void EpisodeLog::drop_oldest() {
  key_bytes_ -= episodes_.front().key.size();
  episodes_.pop_front();
  ++first_;
}

EpisodeNumber EpisodeLog::start(Episode episode) {
  key_bytes_ += episode.key.size();
  episodes_.push_back(std::move(episode));
  while (episodes_.size() > 1 && (episodes_.size() > kEpisodesMax || key_bytes_ > key_bytes_max_))
    drop_oldest();
  return first_ + episodes_.size() - 1;
}

Episode* EpisodeLog::find(EpisodeNumber number) {
  if (number < first_ || number - first_ >= episodes_.size()) return nullptr;
  return &episodes_[number - first_];
}

const Episode* EpisodeLog::find(EpisodeNumber number) const {
  if (number < first_ || number - first_ >= episodes_.size()) return nullptr;
  return &episodes_[number - first_];
}

std::vector<Episode> EpisodeLog::newest(std::size_t n) const {
  const auto size = static_cast<std::ptrdiff_t>(std::min(n, episodes_.size()));
  return {episodes_.rbegin(), episodes_.rbegin() + size};
}

}  // namespace hotkeyd
