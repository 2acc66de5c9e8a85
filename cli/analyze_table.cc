#include "cli/analyze_text.h"

#include "base/text.h"
#include "cli/format.h"
#include "cli/table.h"

namespace hotkeyd {
namespace {

std::string share_of(std::uint64_t part, std::uint64_t whole) {
  return in_percent(whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole));
}

std::string summary(const AnalysisTotals& totals, const AnalyzedInput& input) {
  if (totals.accesses == 0) return "No accesses in " + counted(input.lines, "line", "lines") + ".\n";
  std::string text = counted(totals.accesses, "access", "accesses") + " (" +
                     counted(totals.reads, "read", "reads") + ", " +
                     counted(totals.writes, "write", "writes") + ") from " + rfc3339(totals.start / 1000) +
                     " to " + rfc3339(totals.end / 1000) + "\n";
  text += counted(totals.episodes, "hot episode", "hot episodes") + " with " +
          counted(totals.hot_accesses, "access", "accesses") + " (" +
          share_of(totals.hot_accesses, totals.accesses) + "), " + with_separators(totals.still_hot) +
          " still hot at the end\n";
  text += "A near cache would have saved " + counted(totals.near.saved, "read", "reads") + " (" +
          share_of(totals.near.saved, totals.reads) + "), " + with_separators(totals.near.stale) +
          " of them stale without invalidation\n";
  text +=
      "A hot pool would have taken " + counted(totals.hot_pool_reads, "further read", "further reads") + "\n";
  return text;
}

std::string warnings(const AnalysisTotals& totals, const AnalyzedInput& input) {
  std::string text;
  const auto add = [&](std::uint64_t count, const char* one, const char* many) {
    if (count > 0) text += counted(count, one, many) + "\n";
  };
  add(input.bad_lines, "line could not be read and was skipped", "lines could not be read and were skipped");
  add(totals.late, "access came out of order and was counted late",
      "accesses came out of order and were counted late");
  add(totals.skipped, "access had no usable key or time and was skipped",
      "accesses had no usable key or time and were skipped");
  add(totals.unlisted, "episode is not listed: too many", "episodes are not listed: too many");
  return text;
}

std::string episodes(const AnalysisReport& report) {
  Table table({{"START"},
               {"END"},
               {"PEAK/S", true},
               {"SHARE", true},
               {"CLASS"},
               {"SAVED", true},
               {"STALE", true},
               {"RULE"},
               {"KEY"}});
  for (const AnalyzedEpisode& episode : report.episodes) {
    table.add({rfc3339(episode.start / 1000), rfc3339(episode.end / 1000), with_separators(episode.peak_rate),
               in_percent(episode.share), std::string(to_string(episode.key_class)),
               with_separators(episode.near.saved), with_separators(episode.near.stale),
               episode.rule ? printable(*episode.rule) : "-", shown_key(episode.key)});
  }
  return table.empty() ? std::string() : "\n" + table.text();
}

std::string top_shares(const AnalysisReport& report) {
  Table table({{"HOTTEST KEYS", true}, {"SHARE", true}, {"ERROR", true}});
  for (const TopShare& point : report.top_shares) {
    table.add(
        {with_separators(point.keys), fixed(point.share * 100, 2) + "%", fixed(point.error * 100, 2) + "%"});
  }
  return table.empty() ? std::string() : "\n" + table.text();
}

}  // namespace

std::string analysis_table(const AnalysisReport& report, const AnalyzedInput& input) {
  return summary(report.totals, input) + warnings(report.totals, input) + episodes(report) +
         top_shares(report);
}

}  // namespace hotkeyd
