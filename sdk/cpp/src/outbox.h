// The batches of a client: numbered without gaps, at most four unacknowledged, sent again after a lost
// connection.
//
// A batch takes rows until it is full or sealed; sealing gives it the next number and its TOTALS. It leaves
// when the daemon acknowledges it. One that the daemon refuses (-ERR) counts as dropped, and its number is
// sent again as an empty batch, once per flush. Pure; one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "base/clock.h"
#include "sdk/cpp/src/access_table.h"

namespace hotkeyd::sdk {

struct OutgoingRow {
  std::uint32_t offset = 0;  // Of the key in `keys`.
  std::uint32_t size = 0;
  Growth growth;  // Its key is unused.
};

struct OutgoingBatch {
  std::uint64_t seq = 0;
  std::string keys;
  std::vector<OutgoingRow> rows;
  std::uint64_t accesses = 0;
  Time oldest{};               // No access of it is older.
  std::uint64_t recorded = 0;  // TOTALS
  std::uint64_t dropped = 0;
  bool in_flight = false;
  bool refused = false;
};

class Outbox {
 public:
  static constexpr std::size_t kBatchesMax = 4;
  static constexpr std::size_t kRowsMax = 512;
  static constexpr std::size_t kKeyBytesMax = 256 * 1024;

  // Adds a row; false when there is no room until a batch is acknowledged. `oldest`: no access of it is
  // older.
  bool add(const Growth& growth, Time oldest);
  // Numbers the open batch, if it holds rows. `dropped`: accesses that were dropped so far and never were in
  // a batch.
  void seal(std::uint64_t dropped);
  // The next batch to send, in order; null when there is none. It counts as sent from then on.
  const OutgoingBatch* next_to_send();

  void acknowledge(std::uint64_t seq);
  void refuse(std::uint64_t seq);
  void retry_refused();
  void connection_lost();
  // Whether the daemon refuses even empty batches: nothing can be sent for now.
  bool is_refused() const;

  bool empty() const { return sealed_.empty() && open_.rows.empty(); }
  std::size_t unacknowledged() const { return sealed_.size(); }
  std::uint64_t acknowledged() const { return acknowledged_; }
  std::uint64_t dropped() const { return dropped_; }  // Accesses of refused batches.

 private:
  OutgoingBatch* find(std::uint64_t seq);

  OutgoingBatch open_;
  std::deque<OutgoingBatch> sealed_;
  std::uint64_t last_seq_ = 0;
  std::uint64_t batched_ = 0;  // Accesses of all batches so far, those refused excepted.
  std::uint64_t acknowledged_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace hotkeyd::sdk
