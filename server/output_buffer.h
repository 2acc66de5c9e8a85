// What waits to be written to one connection: replies, and bytes shared with other connections, in order.
//
// Replies are appended to one string; an event is encoded once and shared, so that a thousand slow
// subscribers cost its bytes once. Sizes are known by kind, because their limits differ. Pure; one thread
// (data).
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace hotkeyd {

using SharedBytes = std::shared_ptr<const std::string>;

class OutputBuffer {
 public:
  enum class Kind { reply, event, snapshot };

  // Append replies here. The reference stays valid; write a whole reply before anything is shared.
  std::string& replies() { return tail_; }
  void share(Kind kind, SharedBytes bytes);

  std::size_t size(Kind kind) const;
  std::size_t size() const { return size(Kind::reply) + size(Kind::event) + size(Kind::snapshot); }
  bool empty() const { return chunks_.empty() && tail_.empty(); }

  // The first bytes as pieces for one gathered write, about `bytes_max` in all; returns how many are filled.
  std::size_t gather(std::span<std::string_view> pieces, std::size_t bytes_max) const;
  // The first `bytes` were written.
  void consume(std::size_t bytes);

 private:
  struct Chunk {
    Kind kind;
    SharedBytes bytes;
  };

  void push(Kind kind, SharedBytes bytes);
  void consume_chunk(std::size_t& bytes);
  void consume_tail(std::size_t bytes);
  void seal_tail();

  std::deque<Chunk> chunks_;
  std::size_t front_offset_ = 0;        // Bytes of the first chunk that are written.
  std::array<std::size_t, 3> sizes_{};  // Of the chunks, by kind.
  std::string tail_;                    // The replies behind them.
};

}  // namespace hotkeyd
