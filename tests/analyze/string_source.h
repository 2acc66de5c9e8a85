// A recording's bytes from a string, in pieces of a chosen size.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "analyze/byte_source.h"

namespace hotkeyd {

class StringSource final : public ByteSource {
 public:
  explicit StringSource(std::string bytes, std::size_t piece = SIZE_MAX)
      : bytes_(std::move(bytes)), piece_(piece) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t size = std::min({buffer.size(), piece_, bytes_.size() - at_});
    std::copy_n(bytes_.data() + at_, size, buffer.data());
    at_ += size;
    return size;
  }

 private:
  std::string bytes_;
  std::size_t piece_;
  std::size_t at_ = 0;
};

}  // namespace hotkeyd
