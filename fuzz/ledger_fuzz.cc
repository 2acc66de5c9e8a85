// A stream of batches of four producers: no number counts twice, and losses never exceed what can be missing.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>

#include "wire/ledger.h"

namespace {

struct Seen {
  std::set<std::pair<std::uint64_t, std::uint64_t>> counted;  // epoch, seq
  std::uint64_t epoch = 0;
  std::uint64_t lost_max = 0;  // Numbers between the first and the largest of all epochs.
  std::uint64_t first = 0;
  std::uint64_t largest = 0;
  std::uint64_t lost = 0;
};

void check(Seen& seen, const hotkeyd::LedgerEntry& entry, const hotkeyd::LedgerOutcome& outcome) {
  seen.lost += outcome.lost_batches;
  if (outcome.verdict == hotkeyd::Verdict::counts) {
    if (!seen.counted.emplace(entry.epoch, entry.seq).second) std::abort();
    if (entry.epoch != seen.epoch || seen.largest == 0) {
      seen.lost_max += seen.largest - seen.first;
      seen.epoch = entry.epoch;
      seen.first = seen.largest = entry.seq;
    }
    seen.largest = std::max(seen.largest, entry.seq);
  }
  if (seen.lost > seen.lost_max + seen.largest - seen.first) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  constexpr std::array<std::string_view, 4> kNames{"a", "b", "c", "d"};
  hotkeyd::Ledger ledger(kNames.size());
  std::array<Seen, kNames.size()> seen;
  std::uint64_t recorded = 0;
  for (std::size_t at = 0; at + 4 <= size; at += 4) {
    const std::size_t who = bytes[at] & 3;
    recorded += bytes[at + 2];
    hotkeyd::LedgerEntry entry{.producer = kNames[who],
                               .epoch = static_cast<std::uint64_t>(bytes[at] >> 2 & 3),
                               .seq = 1 + bytes[at + 1] + static_cast<std::uint64_t>(bytes[at] >> 4) * 37,
                               .accesses = bytes[at + 2],
                               .totals = {}};
    if ((bytes[at + 3] & 1) != 0)
      entry.totals = hotkeyd::ReportTotals{recorded, std::min<std::uint64_t>(recorded, bytes[at + 3])};
    const auto before = ledger.peek(entry.producer, entry.epoch, entry.seq);
    const auto outcome = ledger.admit(entry);
    if (before != outcome.verdict || outcome.lost_accesses > recorded) std::abort();
    check(seen[who], entry, outcome);
  }
  return ledger.producers() <= kNames.size() ? 0 : 1;
}
