#include "wire/event.h"

namespace hotkeyd {
namespace {

// The bytes of a part without entries, its numbers as long as they can be.
std::size_t part_overhead(const Stream& stream, std::size_t parts_max) {
  constexpr std::int64_t kLastMs = 253'402'300'799'999;  // The end of the year 9999.
  return encode_snapshot_part(stream, ~0ULL, kLastMs, kLastMs, parts_max, parts_max, {}).size();
}

}  // namespace

std::vector<std::size_t> cut_snapshot(const Stream& stream, const std::vector<std::string>& key_data,
                                      std::size_t part_bytes_max) {
  const std::size_t overhead = part_overhead(stream, key_data.size());
  std::vector<std::size_t> parts{0};
  std::size_t size = overhead;
  for (const std::string& entry : key_data) {
    if (parts.back() != 0 && size + entry.size() + 1 > part_bytes_max) {
      parts.push_back(0);
      size = overhead;
    }
    ++parts.back();
    size += entry.size() + 1;
  }
  return parts;
}

}  // namespace hotkeyd
