// Batches of HOTKEY REPORT whose bytes are built beforehand, so that a generator costs less than what it
// measures.
//
// Sequence number and totals have a fixed width and are patched into the bytes when a batch is sent; with
// `new_keys` so are the keys, each a number never used before. One access a row. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wire/report.h"

namespace hotkeyd {

struct BatchRingOptions {
  std::string ns = "bench";
  std::string producer;
  std::uint64_t epoch = 0;
  std::size_t rows = 512;               // Of a batch.
  std::size_t rows_prepared = 1 << 20;  // Of all batches.
  std::size_t keys = 1'000'000;
  double zipf = 1.1;
  bool new_keys = false;
};

class BatchRing {
 public:
  explicit BatchRing(const BatchRingOptions& options);

  // The batch at hand with these numbers. Its bytes stay as they are until the whole ring has gone round.
  std::string_view prepare(std::uint64_t seq, ReportTotals totals);
  void advance();

 private:
  struct Batch {
    std::string bytes;
    std::size_t seq_at = 0;
    std::size_t recorded_at = 0;
    std::size_t dropped_at = 0;
    std::vector<std::size_t> keys_at;  // Only of keys to be patched.
  };

  std::vector<Batch> batches_;
  std::size_t next_ = 0;
  std::uint64_t next_key_ = 0;
};

// Names of keys drawn from a Zipf law over `keys` of them, always the same.
std::vector<std::string> draw_keys(std::size_t count, std::size_t keys, double exponent);

}  // namespace hotkeyd
