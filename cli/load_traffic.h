// What one process of `load` accesses, and when: Zipf, and during the sale one key for a share of all.
//
// The processes take the accesses of the whole in turn, so that together they make exactly its rate, whatever
// their number. Deterministic: the same options, worker and times give the same accesses. A process that
// could not keep up leaves out what is older than kBehindMax, so that it never works off an unbounded debt.
// Pure; one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/random.h"
#include "cli/load_options.h"
#include "cli/zipf.h"

namespace hotkeyd {

class LoadTraffic {
 public:
  using Elapsed = std::chrono::nanoseconds;  // Since the start.
  static constexpr std::chrono::milliseconds kBehindMax{100};

  struct Access {
    std::string_view key;  // Valid until the next call.
    bool is_write = false;
    bool is_sale = false;
  };

  LoadTraffic(const LoadOptions& options, std::uint32_t worker);

  // How many accesses to make now.
  std::uint64_t due(Elapsed now);
  Access next(Elapsed now);
  bool is_sale(Elapsed now) const;

 private:
  // How many of the first so many accesses of all processes fall to this one.
  std::uint64_t share_of(std::uint64_t accesses) const;

  LoadOptions options_;
  std::uint32_t worker_;
  ZipfSampler zipf_;
  Random random_;
  std::string key_;
  std::uint64_t made_ = 0;
};

}  // namespace hotkeyd
