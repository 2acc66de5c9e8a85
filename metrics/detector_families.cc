#include <array>

#include "metrics/families.h"
#include "metrics/family_builder.h"

namespace hotkeyd {
namespace {

using Namespaces = std::map<std::string, NamespaceStats>;

template <typename Key, typename Number>
Number at_or_zero(const std::map<Key, Number>& map, Key key) {
  const auto found = map.find(key);
  return found == map.end() ? Number{} : found->second;
}

template <typename Number>
void add_gauge(const Namespaces& namespaces, std::string_view name, std::string_view help,
               Number NamespaceStats::*figure, Families& out) {
  auto family = FamilyBuilder::gauge(name, help);
  for (const auto& [ns, stats] : namespaces) family.add(stats.*figure, {{"ns", ns}});
  std::move(family).append_to(out);
}

void add_counter(const Namespaces& namespaces, std::string_view name, std::string_view help,
                 std::uint64_t NamespaceStats::*figure, Families& out) {
  auto family = FamilyBuilder::counter(name, help);
  for (const auto& [ns, stats] : namespaces) family.add(stats.*figure, {{"ns", ns}});
  std::move(family).append_to(out);
}

void add_accesses(const Namespaces& namespaces, Families& out) {
  auto family = FamilyBuilder::counter(
      "detector_accesses_total",
      "Accesses counted, scaled where producers sample; misses and local hits are reads.");
  for (const auto& [ns, stats] : namespaces) {
    family.add(stats.reads, {{"ns", ns}, {"kind", "read"}});
    family.add(stats.writes, {{"ns", ns}, {"kind", "write"}});
    family.add(stats.misses, {{"ns", ns}, {"kind", "miss"}});
    family.add(stats.local_hits, {{"ns", ns}, {"kind", "local_hit"}});
  }
  std::move(family).append_to(out);
}

void add_hot_keys(const Namespaces& namespaces, Families& out) {
  auto family = FamilyBuilder::gauge("detector_hot_keys", "Keys that are hot now.");
  for (const auto& [ns, stats] : namespaces) {
    for (const KeyClass key_class : {KeyClass::read, KeyClass::miss, KeyClass::mixed, KeyClass::write}) {
      family.add(at_or_zero(stats.hot_keys, key_class), {{"ns", ns}, {"class", to_string(key_class)}});
    }
  }
  std::move(family).append_to(out);
}

void add_decisions(const Namespaces& namespaces, Families& out) {
  auto family = FamilyBuilder::counter("detector_decisions_total", "Decisions taken.");
  for (const DecisionKind kind : {DecisionKind::promoted, DecisionKind::updated, DecisionKind::demoted}) {
    std::uint64_t sum = 0;
    for (const auto& [ns, stats] : namespaces) sum += at_or_zero(stats.decisions, kind);
    family.add(sum, {{"kind", to_string(kind)}});
  }
  std::move(family).append_to(out);
}

void add_memory(const Namespaces& namespaces, Families& out) {
  std::size_t sum = 0;
  for (const auto& [ns, stats] : namespaces) sum += stats.memory_bytes;
  FamilyBuilder::gauge("detector_memory_bytes", "Memory of all namespaces: tables, candidates, names.")
      .add(sum)
      .append_to(out);
  add_gauge(namespaces, "detector_namespace_memory_bytes", "Memory of one namespace.",
            &NamespaceStats::memory_bytes, out);
}

void add_near_caches(const DataStats& stats, Families& out) {
  auto hits =
      FamilyBuilder::counter("near_cache_hits_total", "Reads that applications answered from local copies.");
  auto loads = FamilyBuilder::counter("near_cache_loads_total", "Loads into the applications' local copies.");
  auto entries = FamilyBuilder::gauge("near_cache_entries", "Local copies that applications hold.");
  auto bytes = FamilyBuilder::gauge("near_cache_bytes", "Bytes of the local copies that applications hold.");
  auto oldest = FamilyBuilder::gauge("near_cache_oldest_seconds", "Age of the oldest local copy.");
  auto near_caches = stats.near_caches;
  for (const auto& [ns, figures] : stats.namespaces) near_caches.try_emplace(ns);
  for (const auto& [ns, figures] : near_caches) {
    hits.add(figures.hits, {{"ns", ns}});
    loads.add(figures.loads, {{"ns", ns}});
    entries.add(figures.entries, {{"ns", ns}});
    bytes.add(figures.bytes, {{"ns", ns}});
    oldest.add(static_cast<double>(figures.oldest_ms) / 1000, {{"ns", ns}});
  }
  for (FamilyBuilder* family : {&hits, &loads, &entries, &bytes, &oldest}) std::move(*family).append_to(out);
}

}  // namespace

void add_detector_families(const DataStats& stats, Families& out) {
  const Namespaces& all = stats.namespaces;
  add_accesses(all, out);
  add_hot_keys(all, out);
  add_decisions(all, out);
  add_memory(all, out);
  add_gauge(all, "detector_tracked_keys", "Keys with a count in the table.", &NamespaceStats::tracked_keys,
            out);
  add_gauge(all, "detector_hottest_rate", "Accesses per second of the hottest key.",
            &NamespaceStats::hottest_rate, out);
  add_gauge(all, "detector_alerting_keys", "Hot keys whose rule says that a person should know.",
            &NamespaceStats::alerting_keys, out);
  add_counter(all, "detector_candidates_evicted_total",
              "Candidates that made room because all records were in use.",
              &NamespaceStats::candidates_evicted, out);
  add_counter(all, "detector_candidates_refused_total",
              "Newcomers that found only hot or ordered keys in the records.",
              &NamespaceStats::candidates_refused, out);
  add_counter(all, "detector_names_evicted_total", "Names that made room because names_max was reached.",
              &NamespaceStats::names_evicted, out);
  add_counter(all, "detector_hot_set_full_total",
              "Promotions refused because hot_keys_max hotter keys were hot.", &NamespaceStats::hot_set_full,
              out);
  FamilyBuilder::histogram(
      "detector_detection_delay_seconds",
      "From reading the batch that crosses a threshold to handing its event to subscribers.")
      .add(stats.detection_delay)
      .append_to(out);
  add_near_caches(stats, out);
}

}  // namespace hotkeyd
