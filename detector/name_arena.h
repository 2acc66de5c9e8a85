// The bytes of key names, in one block of memory of fixed size.
//
// Names are appended; where the end is reached the living ones move together. The block is an eighth larger
// than the names may be, so that moving is paid for by the bytes added since. Views are valid until the next
// `add`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "detector/untouched_array.h"

namespace hotkeyd {

class NameArena {
 public:
  // At most `bytes_max` bytes of names, under ids below `ids`.
  NameArena(std::size_t bytes_max, std::size_t ids);

  bool fits(std::size_t bytes) const { return bytes <= bytes_max_ - bytes_; }
  void add(std::uint32_t id, std::string_view name);  // It fits.
  void remove(std::uint32_t id);
  std::string_view name(std::uint32_t id) const;

  std::size_t bytes() const { return bytes_; }
  std::size_t bytes_max() const { return bytes_max_; }
  std::size_t memory_bytes() const;

 private:
  struct Header {  // In front of each name.
    std::uint32_t id;
    std::uint32_t size;
  };

  Header header_at(std::size_t offset) const;
  void move_together();

  std::size_t bytes_max_;
  std::size_t capacity_;
  std::size_t bytes_ = 0;  // Of living names.
  std::size_t end_ = 0;
  std::unique_ptr<char[]> block_;
  UntouchedArray<std::size_t> offsets_;  // By id, of the header.
};

}  // namespace hotkeyd
