// The inner loops of the window table, once in plain C++ and once for AVX2, chosen at run time.
//
// Both are compiled from one source and give the same results, dice included. A batch passes in stages, each
// a loop without unpredictable branches: probe every row, then admit those that were not there. What is rare
// (a candidate, a lane that has one) is listed or returned to the caller.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "detector/window_buckets.h"

namespace hotkeyd {

inline constexpr std::size_t kBatchMax = 64;

// Up to kBatchMax rows on their way through the stages. The lists have room for one entry more than rows
// because appending without a branch writes first and decides afterwards.
struct Batch {
  std::size_t size = 0;
  const std::uint64_t* hashes = nullptr;
  std::array<std::uint32_t, kBatchMax> weights{};
  // Rows whose lane has a candidate or should get one.
  std::size_t touched_size = 0;
  std::array<std::uint8_t, kBatchMax + 1> touched_rows{};
  std::array<Place, kBatchMax + 1> touched_places{};
  std::size_t missed_size = 0;
  std::array<std::uint8_t, kBatchMax + 1> missed_rows{};
};

// Why admission stopped.
struct AdmitStop {
  enum class Why {
    end,      // Every row is done.
    touched,  // The row is counted on the lane, which has a candidate or should get one.
    held,     // The row won the lane, but the lane has a candidate: part them, then place the row.
  };
  Why why = Why::end;
  std::size_t position = 0;  // In the list of missed rows.
  std::uint32_t lane = 0;
  std::uint32_t priority = 0;  // Displaced.
};

struct WindowKernels {
  // Adds the weight of every row whose fingerprint is there; fills the lists of touched and missed rows.
  void (*probe)(const TableView& table, Batch& batch);
  // Admits missed rows from the position given on, by chance, until the first that needs the caller.
  AdmitStop (*admit)(const TableView& table, const Batch& batch, std::size_t position);
  // Ends the slot: every bucket forgets the slot that leaves the window.
  void (*rotate)(const TableView& table, std::uint64_t ended);
};

extern const WindowKernels kPlainKernels;

// Those for AVX2 where this processor has it, else the plain ones.
const WindowKernels& best_kernels();

}  // namespace hotkeyd
