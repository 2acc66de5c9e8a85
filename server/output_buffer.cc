#include "server/output_buffer.h"

#include <algorithm>
#include <utility>

namespace hotkeyd {
namespace {

constexpr std::size_t kTailKept = 64 * 1024;  // Capacity that an empty tail may keep.

std::size_t index(OutputBuffer::Kind kind) { return static_cast<std::size_t>(kind); }

}  // namespace

void OutputBuffer::share(Kind kind, SharedBytes bytes) {
  seal_tail();
  push(kind, std::move(bytes));
}

void OutputBuffer::push(Kind kind, SharedBytes bytes) {
  sizes_[index(kind)] += bytes->size();
  chunks_.push_back({kind, std::move(bytes)});
}

void OutputBuffer::seal_tail() {
  if (tail_.empty()) return;
  push(Kind::reply, std::make_shared<const std::string>(std::exchange(tail_, {})));
}

std::size_t OutputBuffer::size(Kind kind) const {
  return sizes_[index(kind)] + (kind == Kind::reply ? tail_.size() : 0);
}

std::size_t OutputBuffer::gather(std::span<std::string_view> pieces, std::size_t bytes_max) const {
  std::size_t filled = 0;
  std::size_t bytes = 0;
  std::size_t offset = front_offset_;
  for (const Chunk& chunk : chunks_) {
    if (filled == pieces.size() || bytes >= bytes_max) return filled;
    pieces[filled] = std::string_view(*chunk.bytes).substr(std::exchange(offset, 0));
    bytes += pieces[filled++].size();
  }
  if (filled < pieces.size() && bytes < bytes_max && !tail_.empty()) pieces[filled++] = tail_;
  return filled;
}

void OutputBuffer::consume(std::size_t bytes) {
  while (bytes > 0 && !chunks_.empty()) consume_chunk(bytes);
  if (bytes > 0) consume_tail(bytes);
}

void OutputBuffer::consume_chunk(std::size_t& bytes) {
  const Chunk& front = chunks_.front();
  const std::size_t taken = std::min(bytes, front.bytes->size() - front_offset_);
  sizes_[index(front.kind)] -= taken;
  front_offset_ += taken;
  bytes -= taken;
  if (front_offset_ < front.bytes->size()) return;
  chunks_.pop_front();
  front_offset_ = 0;
}

void OutputBuffer::consume_tail(std::size_t bytes) {
  if (bytes < tail_.size()) {
    seal_tail();
    return consume_chunk(bytes);
  }
  tail_.clear();
  if (tail_.capacity() > kTailKept) tail_.shrink_to_fit();
}

}  // namespace hotkeyd
