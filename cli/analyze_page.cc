#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "cli/analyze_chart.h"
#include "cli/analyze_style.h"
#include "cli/analyze_text.h"
#include "cli/format.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kRowsInTable = 1000;
constexpr std::size_t kFilesNamed = 10;

std::string head() {
  return std::string(R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>hotkeyd: analysis</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>)") +
         std::string(kAnalysisStyle) + "</style></head><body><h1>Hot keys of a recording</h1>\n";
}

// "2026-11-30 15:52:02.113", in UTC.
std::string moment(UnixUs time) {
  std::string text = rfc3339(time / 1000);
  text.replace(10, 1, " ");
  text.pop_back();
  return text;
}

std::string files(const AnalyzedInput& input) {
  std::string names;
  const std::size_t named = std::min(input.files.size(), kFilesNamed);
  for (std::size_t at = 0; at < named; ++at)
    names += (at > 0 ? ", " : "") + (input.files[at] == "-" ? "standard input" : shown_key(input.files[at]));
  if (input.files.size() > named)
    names += " and " + counted(input.files.size() - named, "further file", "further files");
  return names.empty() ? names : "<p class=\"key\">" + html_escape(names) + "</p>\n";
}

std::string period(const AnalysisTotals& totals) {
  return "<p class=\"quiet\">" + moment(totals.start) + " to " + moment(totals.end) + " UTC (" +
         in_time(std::chrono::milliseconds((totals.end - totals.start) / 1000)) + ")</p>\n";
}

std::string fact(const char* name, std::uint64_t value, const std::string& note = "") {
  return std::string("<div><dt>") + name + "</dt><dd>" + with_separators(value) +
         (note.empty() ? note : " <small>" + note + "</small>") + "</dd></div>\n";
}

std::string part(std::uint64_t count, std::uint64_t whole, const char* of) {
  if (whole == 0) return {};
  return in_percent(static_cast<double>(count) / static_cast<double>(whole)) + of;
}

std::string facts(const AnalysisTotals& totals) {
  return "<dl class=\"facts\">\n" + fact("accesses", totals.accesses) + fact("reads", totals.reads) +
         fact("writes", totals.writes) + fact("hot episodes", totals.episodes) +
         fact("accesses while hot", totals.hot_accesses,
              part(totals.hot_accesses, totals.accesses, " of all")) +
         fact("reads a near cache saves", totals.near.saved,
              part(totals.near.saved, totals.reads, " of reads")) +
         fact("stale of them, if not invalidated", totals.near.stale,
              part(totals.near.stale, totals.near.saved, " of saved")) +
         fact("further reads for a hot pool", totals.hot_pool_reads) + "</dl>\n";
}

std::string input_facts(const AnalysisTotals& totals, const AnalyzedInput& input) {
  return "<p class=\"quiet\">Input: " + counted(input.lines, "line", "lines") + ", " +
         with_separators(input.bad_lines) + " could not be read; " +
         counted(totals.late, "access", "accesses") + " out of order, " + with_separators(totals.skipped) +
         " skipped; " + counted(totals.unlisted, "episode", "episodes") + " not listed.</p>\n";
}

std::string cell(const std::string& text, const char* kind = "") {
  return std::string("<td") + kind + ">" + html_escape(text) + "</td>";
}
std::string number(std::uint64_t value) { return cell(with_separators(value), " class=\"n\""); }
std::string time(UnixUs value) { return cell(moment(value), " class=\"t\""); }

std::string row(const AnalyzedEpisode& episode) {
  return "<tr>" + cell(shown_key(episode.key), " class=\"key\"") + time(episode.start) + time(episode.end) +
         number(episode.peak_rate) + cell(in_percent(episode.share), " class=\"n\"") +
         number(episode.near.saved) + number(episode.near.stale) +
         cell(std::string(to_string(episode.key_class))) +
         cell(episode.rule ? printable(*episode.rule) : "-") + "</tr>\n";
}

std::string table(const AnalysisReport& report) {
  std::string text =
      "<div class=\"scroll\" role=\"region\" aria-label=\"Episodes\" "
      "tabindex=\"0\"><table><thead><tr><th>key</th>"
      "<th>start (UTC)</th><th>end (UTC)</th><th class=\"n\">peak/s</th><th class=\"n\">share</th>"
      "<th class=\"n\">saved reads</th><th class=\"n\">stale "
      "reads</th><th>class</th><th>rule</th></tr></thead>\n"
      "<tbody>\n";
  const std::size_t shown = std::min(report.episodes.size(), kRowsInTable);
  for (std::size_t at = 0; at < shown; ++at) text += row(report.episodes[at]);
  text += "</tbody></table></div>\n";
  const std::size_t rest = report.episodes.size() - shown;
  if (rest > 0) {
    text += "<p>" + counted(rest, "later episode is", "later episodes are") + " in the JSON output.</p>\n";
  }
  return text;
}

std::string when_hot(const AnalysisReport& report) {
  if (report.episodes.empty())
    return "<h2>No key was hot.</h2>\n<p>None reached the threshold of its rule; --config FILE takes other "
           "rules.</p>\n";
  return "<h2>Who was hot when</h2>\n<p class=\"quiet\">The keys that a near cache would have saved most "
         "reads of, "
         "at most 40.</p>\n" +
         timeline_chart(report);
}

std::string shares(const AnalysisReport& report) {
  return "<h2>Share of all accesses that go to the hottest keys</h2>\n<p class=\"quiet\">What so many keys "
         "have "
         "together; the bar through a point is its error.</p>\n<div class=\"scroll\">" +
         share_chart(report) + "</div>\n";
}

}  // namespace

std::string analysis_page(const AnalysisReport& report, const AnalyzedInput& input) {
  std::string page = head() + files(input);
  if (report.totals.accesses == 0) {
    page += "<p>The recording holds no accesses.</p>\n";
  } else {
    page += period(report.totals) + facts(report.totals) + when_hot(report) + shares(report);
  }
  if (!report.episodes.empty()) page += "<h2>Episodes</h2>\n" + table(report);
  return page + input_facts(report.totals, input) + "</body></html>\n";
}

}  // namespace hotkeyd
