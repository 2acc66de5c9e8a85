// The hot set of one stream as of one moment, cut into parts that are encoded when they are asked for.
//
// Shared by all who asked at the same moment; the parts themselves (up to 512 KiB each) exist only while they
// are sent. Pure; one thread (data).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "wire/event.h"

namespace hotkeyd {

class StreamSnapshot {
 public:
  StreamSnapshot(Stream stream, std::uint64_t seq, UnixMs as_of_ms, std::int64_t lease_ms,
                 std::vector<std::string> key_data);

  std::uint64_t seq() const { return seq_; }
  UnixMs as_of_ms() const { return as_of_ms_; }
  std::size_t parts() const { return first_.size() - 1; }
  // The event of part 0, 1, ... (they say 1, 2, ...).
  std::string encode_part(std::size_t part) const;
  // All of it as one event, part 1 of 1, whatever its size.
  std::string encode_whole() const;

 private:
  Stream stream_;
  std::uint64_t seq_;
  UnixMs as_of_ms_;
  std::int64_t lease_ms_;
  std::vector<std::string> key_data_;
  std::vector<std::size_t> first_;  // First entry of each part, and one behind the last.
};

}  // namespace hotkeyd
