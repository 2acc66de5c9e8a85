#include "server/reports.h"

#include <algorithm>
#include <cmath>

#include "wire/drop_ratio.h"

namespace hotkeyd {
namespace {

constexpr std::uint64_t kColumnMax = UINT32_MAX;

// A producer may claim anything: what it makes us count stops at the largest number and never goes back.
std::uint64_t add_saturating(std::uint64_t a, std::uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

std::uint64_t saturated(std::uint64_t column) { return std::min(column, kColumnMax); }

Access saturated(const Access& access) {
  return {access.key,
          saturated(access.reads),
          saturated(access.writes),
          saturated(access.misses),
          saturated(access.local_hits),
          saturated(access.bytes)};
}

Access to_access(const ReportRow& row) {
  return saturated(Access{row.key, row.reads, row.writes, row.misses, row.local_hits, row.bytes});
}

// Why a key cannot be counted; nullptr when it can.
const char* refusal(std::string_view key) {
  if (key.empty()) return "empty";
  return key.size() > kKeySizeMax ? "oversize" : nullptr;
}

// What an access of the batch stands for: the producer sampled, and it dropped.
double factor_of(std::uint64_t sample, double drop_ratio) {
  return std::min(static_cast<double>(std::max<std::uint64_t>(sample, 1)) * drop_ratio,
                  DropRatio::kFactorMax);
}

// A lost access stands for as many as one that came.
std::uint64_t scaled_up(std::uint64_t lost, double factor) {
  const double exact = std::ceil(static_cast<double>(lost) * factor);
  return exact >= 0x1.0p63 ? std::uint64_t{1} << 63 : static_cast<std::uint64_t>(exact);
}

}  // namespace

Result<std::uint64_t> Reports::report(std::span<const std::string_view> arguments, Now now) {
  if (auto decoded = decode_report(arguments, report_); !decoded) return Error{decoded.error()};
  const auto ns = streams_.open(report_.ns);
  const std::uint64_t accesses = sum_of_rows();
  if (!ns) {
    drop(reports_, "namespace", accesses);
    return Error{ns.error()};
  }
  const LedgerOutcome outcome =
      ledger_.admit({report_.producer, report_.epoch, report_.seq, accesses, report_.totals, now.steady});
  lost_batches_ = add_saturating(lost_batches_, outcome.lost_batches);
  lost_accesses_ = add_saturating(lost_accesses_, outcome.lost_accesses);
  if (outcome.dropped_accesses > 0) drop(reports_, "overload", outcome.dropped_accesses);
  if (outcome.verdict != Verdict::counts) return std::uint64_t{0};
  near_caches_.add(report_, now.steady);
  return take(*ns, outcome, now);
}

std::uint64_t Reports::sum_of_rows() const {
  std::uint64_t sum = 0;
  for (const ReportRow& row : report_.rows) sum += saturated(row.reads) + saturated(row.writes);
  return sum;
}

// Returns the rows counted.
std::uint64_t Reports::take(NamespaceId ns, const LedgerOutcome& outcome, Now now) {
  collect_rows();
  BatchInfo batch{.factor = factor_of(report_.sample, outcome.drop_ratio)};
  batch.lost = scaled_up(outcome.lost_accesses, batch.factor);
  if (report_.age_ms > static_cast<std::uint64_t>(to_ms(options_.window))) {
    drop(reports_, "late", counted_);
    accesses_.clear();
  } else {
    batch.age = std::chrono::milliseconds{report_.age_ms};
    count(reports_, ns, counted_);
    sampling_.add(counted_, batch.factor, now.steady);
  }
  if (accesses_.empty() && batch.lost == 0) return 0;
  detector_.observe(ns, accesses_, batch, now, decisions_);
  streams_.tell(decisions_, now.steady);
  return accesses_.size();
}

void Reports::collect_rows() {
  accesses_.clear();
  counted_ = 0;
  for (const ReportRow& row : report_.rows) {
    const Access access = to_access(row);
    if (const char* reason = refusal(row.key)) {
      drop(reports_, reason, access.reads + access.writes);
      continue;
    }
    counted_ += access.reads + access.writes;
    accesses_.push_back(access);
  }
}

Result<std::uint64_t> Reports::hit(std::string_view ns, const Access& access, Now now) {
  const auto id = streams_.open(ns);
  const std::uint64_t accesses = access.reads + access.writes;
  if (!id) {
    drop(hits_, "namespace", accesses);
    return Error{id.error()};
  }
  if (const char* reason = refusal(access.key)) {
    drop(hits_, reason, accesses);
    return std::uint64_t{0};
  }
  const Access counted = saturated(access);
  count(hits_, *id, counted.reads + counted.writes);
  if (accesses > kColumnMax) drop(hits_, "overload", accesses - (counted.reads + counted.writes));
  const std::uint64_t in_window = detector_.hit(*id, counted, now, decisions_);
  streams_.tell(decisions_, now.steady);
  return in_window;
}

void Reports::drop(Source& source, const char* reason, std::uint64_t accesses) {
  std::uint64_t& dropped = source.dropped[reason];
  dropped = add_saturating(dropped, accesses);
}

void Reports::count(Source& source, NamespaceId ns, std::uint64_t accesses) {
  if (source.accesses.size() <= ns) source.accesses.resize(ns + 1);
  source.accesses[ns] += accesses;
}

void Reports::add_to(DataStats& stats, Time now) const {
  add_source(stats, "report", reports_);
  add_source(stats, "hit", hits_);
  stats.sources["report"].sampling_one_in = sampling_.value(now);
  stats.lost_batches = lost_batches_;
  stats.lost_accesses = lost_accesses_;
  stats.producers = ledger_.producers();
  stats.near_caches = near_caches_.by_namespace(now);
}

void Reports::add_source(DataStats& stats, const std::string& name, const Source& source) const {
  SourceStats& out = stats.sources[name];
  for (NamespaceId ns = 0; ns < source.accesses.size(); ++ns) {
    out.accesses_by_namespace[std::string(detector_.name(ns))] = source.accesses[ns];
  }
  out.dropped_by_reason = source.dropped;
}

}  // namespace hotkeyd
