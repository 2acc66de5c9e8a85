// Where sockets are read into: one area for all connections, because one thread reads them in turn.
//
// A connection keeps only what it could not yet use (half a request); a short rest is laid in front of the
// bytes just read, so that a request is always one piece. Data thread.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace hotkeyd {

class ReadArea {
 public:
  static constexpr std::size_t kRead = 256 * 1024;  // At most this much is read of a connection in its turn.
  static constexpr std::size_t kFront = 64 * 1024;  // A longer rest grows where it lies.

  std::span<char> space() { return {bytes_.data() + kFront, kRead}; }

  // The first `size` bytes of space() with `rest` (at most kFront) before them.
  std::string_view behind(std::string_view rest, std::size_t size) {
    char* const begin = bytes_.data() + kFront - rest.size();
    if (!rest.empty()) std::memcpy(begin, rest.data(), rest.size());
    return {begin, rest.size() + size};
  }

 private:
  std::vector<char> bytes_ = std::vector<char>(kFront + kRead);
};

}  // namespace hotkeyd
