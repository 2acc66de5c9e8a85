#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "cli/analyze_chart.h"
#include "cli/analyze_text.h"
#include "cli/format.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kRowsInTable = 1000;

constexpr std::string_view kHead =
    R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>hotkeyd: analysis</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
body{font:14px system-ui,sans-serif;margin:2em auto;max-width:1100px;padding:0 1em;color:#222}
table{border-collapse:collapse;width:100%}
th,td{padding:2px 8px;text-align:left;border-bottom:1px solid #ddd;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
td.k{font-family:monospace;overflow-wrap:anywhere}
svg{width:100%;height:auto;font:11px system-ui,sans-serif}
</style></head><body><h1>Hot keys of a recording</h1>
)";

std::string cell(const std::string& text, const char* kind = "") {
  return std::string("<td") + kind + ">" + html_escape(text) + "</td>";
}
std::string number(std::uint64_t value) { return cell(with_separators(value), " class=\"n\""); }

std::string fact(const char* name, const std::string& value) {
  return std::string("<tr><th>") + name + "</th>" + cell(value) + "</tr>\n";
}

std::string facts(const AnalysisTotals& totals, const AnalyzedInput& input) {
  std::string text = "<table>\n";
  text += fact("from", rfc3339(totals.start / 1000)) + fact("to", rfc3339(totals.end / 1000));
  text += fact("accesses", with_separators(totals.accesses)) + fact("reads", with_separators(totals.reads)) +
          fact("writes", with_separators(totals.writes));
  text += fact("hot episodes", with_separators(totals.episodes)) +
          fact("accesses while hot", with_separators(totals.hot_accesses));
  text += fact("reads a near cache would have saved", with_separators(totals.near.saved)) +
          fact("stale ones of them, without invalidation", with_separators(totals.near.stale)) +
          fact("further reads for a hot pool", with_separators(totals.hot_pool_reads));
  text += fact("lines that could not be read", with_separators(input.bad_lines)) +
          fact("accesses out of order", with_separators(totals.late)) +
          fact("accesses skipped", with_separators(totals.skipped)) +
          fact("episodes not listed", with_separators(totals.unlisted));
  return text + "</table>\n";
}

std::string row(const AnalyzedEpisode& episode) {
  return "<tr>" + cell(shown_key(episode.key), " class=\"k\"") + cell(episode.rule.value_or("-")) +
         cell(std::string(to_string(episode.key_class))) + cell(rfc3339(episode.start / 1000)) +
         cell(rfc3339(episode.end / 1000)) + number(episode.peak_rate) +
         cell(in_percent(episode.share), " class=\"n\"") + number(episode.near.saved) +
         number(episode.near.stale) + "</tr>\n";
}

std::string table(const AnalysisReport& report) {
  std::string text =
      "<table><tr><th>key</th><th>rule</th><th>class</th><th>start</th><th>end</th><th "
      "class=\"n\">peak/s</th>"
      "<th class=\"n\">share</th><th class=\"n\">saved</th><th class=\"n\">stale</th></tr>\n";
  const std::size_t shown = std::min(report.episodes.size(), kRowsInTable);
  for (std::size_t at = 0; at < shown; ++at) text += row(report.episodes[at]);
  text += "</table>\n";
  const std::size_t rest = report.episodes.size() - shown;
  if (rest > 0) text += "<p>" + with_separators(rest) + " later episodes are in the JSON output.</p>\n";
  return text;
}

}  // namespace

std::string analysis_page(const AnalysisReport& report, const AnalyzedInput& input) {
  return std::string(kHead) + facts(report.totals, input) + "<h2>Who was hot when</h2>\n" +
         timeline_chart(report) + "<h2>Share of the hottest keys</h2>\n" + share_chart(report) +
         "<h2>Episodes</h2>\n" + table(report) + "</body></html>\n";
}

}  // namespace hotkeyd
