#include "bench/support/batch_ring.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "base/random.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kDigits = 16;  // 16 digits stay below 2^63.
constexpr std::string_view kZeros = "0000000000000000";

// Four digits at a time.
const auto kQuads = [] {
  std::array<std::array<char, 4>, 10'000> quads{};
  for (std::size_t value = 0; value < quads.size(); ++value) {
    std::size_t left = value;
    for (std::size_t place = 4; place-- > 0; left /= 10)
      quads[value][place] = static_cast<char>('0' + left % 10);
  }
  return quads;
}();

void patch(char* at, std::uint64_t value) {
  for (std::size_t place = kDigits; place > 0; place -= 4) {
    std::memcpy(at + place - 4, kQuads[value % 10'000].data(), 4);
    value /= 10'000;
  }
}

// Appends a bulk string and returns where its bytes begin.
std::size_t append_word(std::string& out, std::string_view word) {
  out += '$' + std::to_string(word.size()) + "\r\n";
  out += word;
  out += "\r\n";
  return out.size() - 2 - word.size();
}

}  // namespace

std::vector<std::string> draw_keys(std::size_t count, std::size_t keys, double exponent) {
  std::vector<double> sums(keys);
  double sum = 0;
  for (std::size_t rank = 0; rank < keys; ++rank)
    sums[rank] = sum += std::pow(static_cast<double>(rank + 1), -exponent);
  Random random(1);
  std::vector<std::string> drawn;
  drawn.reserve(count);
  while (drawn.size() < count) {
    const auto found = std::lower_bound(sums.begin(), sums.end(), random.fraction() * sum);
    drawn.push_back("key:" + std::to_string(found - sums.begin()));
  }
  return drawn;
}

BatchRing::BatchRing(const BatchRingOptions& options) {
  const std::size_t count = std::max<std::size_t>(2, options.rows_prepared / options.rows);
  std::vector<std::string> keys;
  if (!options.new_keys) keys = draw_keys(count * options.rows, options.keys, options.zipf);
  for (std::size_t i = 0; i < count; ++i) {
    Batch& batch = batches_.emplace_back();
    std::string& out = batch.bytes;
    out = "*" + std::to_string(7 + 6 * options.rows + 3) + "\r\n";
    for (const std::string& word : {std::string("HOTKEY"), std::string("REPORT"), options.ns,
                                    options.producer, std::to_string(options.epoch)}) {
      append_word(out, word);
    }
    batch.seq_at = append_word(out, kZeros);
    append_word(out, std::to_string(options.rows));
    for (std::size_t row = 0; row < options.rows; ++row) {
      const std::size_t key_at = append_word(out, options.new_keys ? kZeros : keys[i * options.rows + row]);
      if (options.new_keys) batch.keys_at.push_back(key_at);
      for (const std::string_view column : {"1", "0", "0", "0", "0"}) append_word(out, column);
    }
    append_word(out, "TOTALS");
    batch.recorded_at = append_word(out, kZeros);
    batch.dropped_at = append_word(out, kZeros);
  }
}

void BatchRing::advance() { next_ = next_ + 1 == batches_.size() ? 0 : next_ + 1; }

std::string_view BatchRing::prepare(std::uint64_t seq, ReportTotals totals) {
  Batch& batch = batches_[next_];
  char* bytes = batch.bytes.data();
  patch(bytes + batch.seq_at, seq);
  patch(bytes + batch.recorded_at, totals.recorded);
  patch(bytes + batch.dropped_at, totals.dropped);
  for (const std::size_t key_at : batch.keys_at) patch(bytes + key_at, next_key_++);
  return batch.bytes;
}

}  // namespace hotkeyd
