#include "server/reports.h"

#include <algorithm>

namespace hotkeyd {
namespace {

constexpr std::uint64_t kColumnMax = UINT32_MAX;

// A producer may claim anything: what it makes us count stops at the largest number and never goes back.
std::uint64_t add_saturating(std::uint64_t a, std::uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

std::uint64_t saturated(std::uint64_t column) { return std::min(column, kColumnMax); }

Access to_access(const ReportRow& row) {
  return {row.key,
          saturated(row.reads),
          saturated(row.writes),
          saturated(row.misses),
          saturated(row.local_hits),
          saturated(row.bytes)};
}

// Why a key cannot be counted; nullptr when it can.
const char* refusal(std::string_view key) {
  if (key.empty()) return "empty";
  return key.size() > kKeySizeMax ? "oversize" : nullptr;
}

double factor_of(const Report& report) {
  return static_cast<double>(std::clamp<std::uint64_t>(report.sample, 1, 1000));
}

}  // namespace

Result<std::uint64_t> Reports::report(std::span<const std::string_view> arguments, Now now) {
  if (auto decoded = decode_report(arguments, report_); !decoded) return Error{decoded.error()};
  const auto ns = streams_.open(report_.ns);
  const std::uint64_t accesses = sum_of_rows();
  if (!ns) {
    reports_.dropped["namespace"] += accesses;
    return Error{ns.error()};
  }
  const LedgerOutcome outcome =
      ledger_.admit({report_.producer, report_.epoch, report_.seq, accesses, report_.totals});
  lost_batches_ = add_saturating(lost_batches_, outcome.lost_batches);
  lost_accesses_ = add_saturating(lost_accesses_, outcome.lost_accesses);
  if (outcome.dropped_accesses > 0) reports_.dropped["overload"] += outcome.dropped_accesses;
  if (outcome.verdict != Verdict::counts) return std::uint64_t{0};
  near_caches_.add(report_);
  return take(*ns, outcome.lost_accesses, now);
}

std::uint64_t Reports::sum_of_rows() const {
  std::uint64_t sum = 0;
  for (const ReportRow& row : report_.rows) sum += saturated(row.reads) + saturated(row.writes);
  return sum;
}

// Returns the rows counted.
std::uint64_t Reports::take(NamespaceId ns, std::uint64_t lost, Now now) {
  collect_rows();
  BatchInfo batch{std::chrono::milliseconds{0}, factor_of(report_), lost};
  if (report_.age_ms > static_cast<std::uint64_t>(to_ms(options_.window))) {
    reports_.dropped["late"] += counted_;
    accesses_.clear();
  } else {
    batch.age = std::chrono::milliseconds{report_.age_ms};
    count(reports_, ns, counted_);
  }
  reports_.sampling_one_in = batch.factor;
  if (accesses_.empty() && lost == 0) return 0;
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
      reports_.dropped[reason] += access.reads + access.writes;
      continue;
    }
    counted_ += access.reads + access.writes;
    accesses_.push_back(access);
  }
}

Result<std::uint64_t> Reports::hit(std::string_view ns, const Access& access, Now now) {
  const auto id = streams_.open(ns);
  if (!id) {
    hits_.dropped["namespace"] += access.reads + access.writes;
    return Error{id.error()};
  }
  if (const char* reason = refusal(access.key)) {
    hits_.dropped[reason] += access.reads + access.writes;
    return std::uint64_t{0};
  }
  count(hits_, *id, access.reads + access.writes);
  const std::uint64_t in_window = detector_.hit(*id, access, now, decisions_);
  streams_.tell(decisions_, now.steady);
  return in_window;
}

void Reports::count(Source& source, NamespaceId ns, std::uint64_t accesses) {
  if (source.accesses.size() <= ns) source.accesses.resize(ns + 1);
  source.accesses[ns] += accesses;
}

void Reports::add_to(DataStats& stats) const {
  add_source(stats, "report", reports_);
  add_source(stats, "hit", hits_);
  stats.lost_batches = lost_batches_;
  stats.lost_accesses = lost_accesses_;
  stats.producers = ledger_.producers();
  stats.near_caches = near_caches_.by_namespace();
}

void Reports::add_source(DataStats& stats, const std::string& name, const Source& source) const {
  SourceStats& out = stats.sources[name];
  for (NamespaceId ns = 0; ns < source.accesses.size(); ++ns) {
    out.accesses_by_namespace[std::string(detector_.name(ns))] = source.accesses[ns];
  }
  out.dropped_by_reason = source.dropped;
  out.sampling_one_in = source.sampling_one_in;
}

}  // namespace hotkeyd
