// Which batches a daemon acknowledged, learned from the bytes of its connections: the oracle of exact
// accounting.
//
// Give `watch` to a FaultProxy before the daemon. Of every HOTKEY REPORT that went to the daemon it remembers
// producer, epoch and number; the first number answered for it makes it acknowledged, an error leaves it
// free. Batches with neither are `unanswered`: whoever sent them is gone, or the connection broke. Sending
// those again (their bytes are kept) settles them: the daemon counts them then or has counted them before.
//
// A daemon's memory ends with its life, so a tally is kept for each: call `next_life` between the death of
// one daemon and the start of the next. Connections belong to the life in which they began.
//
// Assumes requests that are answered once each, in order, beside RESP3 pushes and SUBSCRIBE, and rows that
// all can count (no empty or oversize keys). Bounded by the batches of the test. One thread: the proxy's.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/fault_proxy.h"

namespace hotkeyd::testing {

struct BatchId {
  std::string producer;
  std::uint64_t epoch = 0;
  std::uint64_t seq = 0;
  auto operator<=>(const BatchId&) const = default;
};

struct LifeTally {
  std::map<BatchId, std::uint64_t> acknowledged;  // And the accesses of its rows.
  struct Unanswered {
    std::uint64_t accesses = 0;
    std::string request;
    bool operator==(const Unanswered&) const = default;
  };

  std::map<BatchId, Unanswered> unanswered;
  std::uint64_t repeated = 0;  // Answers for a batch that had one.
  std::uint64_t refused = 0;
  std::uint64_t unreadable = 0;  // Replies to nothing asked, bytes that are no RESP: then the tally is wrong.

  std::uint64_t accesses() const;  // Acknowledged ones.
  std::uint64_t unanswered_accesses() const;
};

// What a producer was acknowledged, over all lives, each batch once.
struct ProducerTally {
  std::uint64_t accesses = 0;
  std::uint64_t batches = 0;
  std::uint64_t last = 0;  // Number; above `batches` when one was left out.
  bool operator==(const ProducerTally&) const = default;
};

class ReportTally {
 public:
  ReportTally() { next_life(); }

  FaultProxy::Tap watch();  // The tap of one connection.
  void next_life() { lives_.push_back(std::make_shared<LifeTally>()); }

  const LifeTally& life() const { return *lives_.back(); }
  std::size_t lives() const { return lives_.size(); }
  std::map<std::string, ProducerTally> producers() const;

 private:
  // Shared with the taps.
  std::vector<std::shared_ptr<LifeTally>> lives_;
};

}  // namespace hotkeyd::testing
