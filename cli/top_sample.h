// What `top` knows at one moment: the daemon's answers to HOTKEY TOP and INFO, read into values.
//
// Tolerant: what a newer or broken daemon leaves out reads as zero or empty. Keys are raw bytes. Pure; one
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "resp/reply_parser.h"

namespace hotkeyd {

// One key as HOTKEY TOP ranks it.
struct RankedKey {
  std::string key;
  std::uint64_t rate = 0;
  std::uint64_t error = 0;
  std::string key_class;
  std::string state;
  bool operator==(const RankedKey&) const = default;
};

struct TopSample {
  std::string ns;
  std::string node;
  std::uint64_t epoch = 0;  // The daemon's: another one means that it was restarted.
  UnixMs at_ms = 0;
  std::optional<double>
      rate;  // Accesses a second of the namespace since the sample before; unknown at first.
  std::uint64_t hot_keys = 0;
  std::uint64_t tracked_keys = 0;
  std::vector<RankedKey> keys;  // By falling rate.
  bool operator==(const TopSample&) const = default;
};

// Of the rate of all keys: empty while that is unknown or 0; at most 1.
std::optional<double> share_of(const TopSample& sample, const RankedKey& key);

// Turns pairs of answers into samples, and the growth of the namespace's accesses into its rate.
class TopSampler {
 public:
  explicit TopSampler(std::string_view ns) : ns_(ns) {}

  TopSample take(const RespValue& top, const RespValue& info, Now now);

 private:
  struct Counted {
    std::uint64_t epoch = 0;
    std::uint64_t accesses = 0;
    Time at{};
  };

  std::string ns_;
  std::optional<Counted> before_;
};

}  // namespace hotkeyd
