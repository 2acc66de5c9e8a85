#include "metrics/families.h"
#include "metrics/family_builder.h"

namespace hotkeyd {
namespace {

// Those that always exist, whether or not they were used.
std::map<std::string, SourceStats> with_built_in(std::map<std::string, SourceStats> sources) {
  sources.try_emplace("report");
  sources.try_emplace("hit");
  return sources;
}

}  // namespace

void add_source_families(const DataStats& stats, Families& out) {
  auto accesses = FamilyBuilder::counter("source_accesses_total", "Accesses counted, as they were received.");
  auto dropped =
      FamilyBuilder::counter("source_dropped_accesses_total", "Accesses received and not counted.");
  auto sampling = FamilyBuilder::gauge("source_sampling_one_in", "One access of so many is looked at.");
  for (const auto& [source, figures] : with_built_in(stats.sources)) {
    for (const auto& [ns, count] : figures.accesses_by_namespace) {
      accesses.add(count, {{"source", source}, {"ns", ns}});
    }
    for (const char* reason : {"oversize", "empty", "late", "overload", "namespace"}) {
      const auto found = figures.dropped_by_reason.find(reason);
      const std::uint64_t count = found == figures.dropped_by_reason.end() ? 0 : found->second;
      dropped.add(count, {{"source", source}, {"reason", reason}});
    }
    sampling.add(figures.sampling_one_in, {{"source", source}});
  }
  for (FamilyBuilder* family : {&accesses, &dropped, &sampling}) std::move(*family).append_to(out);
  FamilyBuilder::counter("source_lost_batches_total", "Batches that producers sent and that never arrived.")
      .add(stats.lost_batches)
      .append_to(out);
  FamilyBuilder::counter("source_lost_accesses_total",
                         "Accesses that producers recorded and that never arrived.")
      .add(stats.lost_accesses)
      .append_to(out);
  FamilyBuilder::gauge("source_producers", "Producers whose batches are told apart.")
      .add(stats.producers)
      .append_to(out);
}

}  // namespace hotkeyd
