// A shop of several processes, in which everybody wants one product: each process reads real values from
// Redis through the near cache, and notes what it got and how long it took.
//
// The wanted product is a hash (HGET), the others are strings (GET), so that Redis's own command counters say
// how many reads of the wanted product reach it. Its value begins with a version, by which a process notices
// that a write has arrived, and whether an older value ever came after it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/clock.h"

namespace hotkeyd {

struct ShopOptions {
  std::string socket;  // Of the daemon.
  std::string redis;   // Port on 127.0.0.1.
  std::size_t processes = 4;
  std::uint64_t rate = 16'000;  // Reads a second of all processes; every other one is of the wanted product.
  std::uint64_t seconds = 3;    // Measured with the near cache idle, and again with it.
  std::size_t writes = 100;     // Each followed by an invalidation.
  std::uint64_t interval_ms = 31;  // Between them.
  std::size_t plain_writes = 3;    // Without one.
};

inline constexpr char kShopNamespace[] = "shop";
inline constexpr char kWantedKey[] = "product:flash-sale";
inline constexpr char kWantedField[] = "page";
inline constexpr std::size_t kOtherKeys = 10'000;

std::string other_key(std::size_t number);
// The product's page of that version, about 1 KiB.
std::string page_of(std::uint64_t version);

// What the processes and their director share.
enum class ShopPhase : int { starting, before, settling, after, writing, done };

struct ShopNotes {
  static constexpr std::size_t kReadsMax = 1 << 18;
  static constexpr std::size_t kVersionsMax = 10'000;

  std::atomic<bool> is_ready = false;
  std::atomic<bool> knows = false;  // That the product is hot.
  std::atomic<bool> failed = false;
  std::array<std::atomic<std::uint64_t>, 6> wanted_reads{};  // In each phase.
  std::array<std::atomic<std::uint64_t>, 6> hits{};          // Of the near cache, in each phase.
  std::atomic<std::uint64_t> went_back = 0;                  // Reads older than one before.
  // When the first read began that returned the version or a later one; steady ns, 0: none yet.
  std::array<std::atomic<std::int64_t>, kVersionsMax> seen_ns{};
  // How long reads of the product took, in ns, before and after. To be read when the process has ended.
  std::array<std::atomic<std::size_t>, 2> timed{};
  std::array<std::array<std::uint32_t, kReadsMax>, 2> took_ns{};

  std::span<const std::uint32_t> times(std::size_t which) const {
    return {took_ns[which].data(), std::min(timed[which].load(), kReadsMax)};
  }
};

struct ShopBoard {
  std::atomic<ShopPhase> phase = ShopPhase::starting;
};

inline std::int64_t steady_ns() { return Clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

// One process: reads until the phase is `done`. To be called in a child.
void run_shop_process(const ShopOptions& options, const ShopBoard& board, ShopNotes& notes);

}  // namespace hotkeyd
