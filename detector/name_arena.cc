#include "detector/name_arena.h"

#include <cassert>
#include <cstring>

namespace hotkeyd {
namespace {

constexpr std::uint32_t kDead = UINT32_MAX;

}  // namespace

NameArena::NameArena(std::size_t bytes_max, std::size_t ids)
    : bytes_max_(bytes_max),
      capacity_(bytes_max + bytes_max / 8 + (ids + ids / 8 + 1) * sizeof(Header)),
      block_(std::make_unique_for_overwrite<char[]>(capacity_)),
      offsets_(ids) {}

void NameArena::add(std::uint32_t id, std::string_view name) {
  assert(fits(name.size()));
  const Header header{id, static_cast<std::uint32_t>(name.size())};
  if (capacity_ - end_ < sizeof header + name.size()) move_together();
  std::memcpy(&block_[end_], &header, sizeof header);
  std::memcpy(&block_[end_] + sizeof header, name.data(), name.size());
  offsets_[id] = end_;
  end_ += sizeof header + name.size();
  bytes_ += name.size();
}

void NameArena::remove(std::uint32_t id) {
  Header header = header_at(offsets_[id]);
  assert(header.id == id);
  bytes_ -= header.size;
  header.id = kDead;
  std::memcpy(&block_[offsets_[id]], &header, sizeof header);
}

std::string_view NameArena::name(std::uint32_t id) const {
  const std::size_t offset = offsets_[id];
  return {&block_[offset] + sizeof(Header), header_at(offset).size};
}

NameArena::Header NameArena::header_at(std::size_t offset) const {
  Header header;
  std::memcpy(&header, &block_[offset], sizeof header);
  return header;
}

void NameArena::move_together() {
  std::size_t to = 0;
  for (std::size_t from = 0; from < end_;) {
    const Header header = header_at(from);
    const std::size_t size = sizeof header + header.size;
    if (header.id != kDead) {
      std::memmove(&block_[to], &block_[from], size);
      offsets_[header.id] = to;
      to += size;
    }
    from += size;
  }
  end_ = to;
}

std::size_t NameArena::memory_bytes() const { return capacity_ + offsets_.size() * sizeof(std::size_t); }

}  // namespace hotkeyd
