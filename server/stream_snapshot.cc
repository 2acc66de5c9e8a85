#include "server/stream_snapshot.h"

#include <utility>

namespace hotkeyd {

StreamSnapshot::StreamSnapshot(Stream stream, std::uint64_t seq, UnixMs as_of_ms, std::int64_t lease_ms,
                               std::vector<std::string> key_data)
    : stream_(std::move(stream)),
      seq_(seq),
      as_of_ms_(as_of_ms),
      lease_ms_(lease_ms),
      key_data_(std::move(key_data)) {
  first_.push_back(0);
  for (const std::size_t size : cut_snapshot(stream_, key_data_)) first_.push_back(first_.back() + size);
}

std::string StreamSnapshot::encode_part(std::size_t part) const {
  const auto at = [this](std::size_t i) {
    return key_data_.begin() + static_cast<std::ptrdiff_t>(first_[i]);
  };
  return encode_snapshot_part(stream_, seq_, as_of_ms_, lease_ms_, part + 1, parts(),
                              {at(part), at(part + 1)});
}

std::string StreamSnapshot::encode_whole() const {
  return encode_snapshot_part(stream_, seq_, as_of_ms_, lease_ms_, 1, 1, key_data_);
}

}  // namespace hotkeyd
