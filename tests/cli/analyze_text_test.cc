#include "cli/analyze_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <string>

#include "cli/analyze_chart.h"

namespace hotkeyd {
namespace {

using namespace std::string_literals;

AnalysisReport report_of(const std::string& key) {
  AnalysisReport report;
  AnalyzedEpisode episode;
  episode.key = key;
  episode.rule = "default";
  episode.start = 1'700'000'000'250'000;
  episode.end = 1'700'000'009'500'001;
  episode.peak_rate = 1530;
  episode.share = 0.5;
  episode.near = {1200, 30};
  report.episodes = {episode};
  report.totals.accesses = 3000;
  report.totals.reads = 2900;
  report.totals.writes = 100;
  report.totals.start = 1'700'000'000'000'000;
  report.totals.end = 1'700'000'010'000'000;
  report.totals.episodes = 1;
  report.totals.near = {1200, 30};
  report.top_shares = {{1, 0.5, 0.01}, {2, 0.75, 0.02}};
  return report;
}

TEST(AnalysisJson, HoldsEpisodesAndTotals) {
  const auto json = nlohmann::json::parse(analysis_json(report_of("busy:1"), {3001, 1}));
  EXPECT_EQ(json["episodes"], nlohmann::json::parse(R"([{"key":"busy:1","rule":"default","class":"read",
    "start":1700000000.25,"end":1700000009.500001,"peak_rate":1530,"share":0.5,"saved_reads":1200,
    "stale_reads":30}])"));
  EXPECT_EQ(json["totals"], nlohmann::json::parse(R"({"start":1700000000.0,"end":1700000010.0,"accesses":3000,
    "reads":2900,"writes":100,"misses":0,"episodes":1,"unlisted_episodes":0,"still_hot":0,"hot_accesses":0,
    "saved_reads":1200,"stale_reads":30,"hot_pool_reads":0,"lines":3001,"bad_lines":1,"late_accesses":0,
    "skipped_accesses":0,"top_shares":[{"keys":1,"share":0.5,"error":0.01},
    {"keys":2,"share":0.75,"error":0.02}]})"));
}

TEST(AnalysisJson, GivesAKeyThatIsNoTextInBase64) {
  const auto json = nlohmann::json::parse(analysis_json(report_of("\xff\0<"s), {}));
  EXPECT_EQ(json["episodes"][0]["key"], nullptr);
  EXPECT_EQ(json["episodes"][0]["key_b64"], "/wA8");
}

TEST(AnalysisJson, PrintsNothingRaw) {
  for (const char c : analysis_json(report_of("\x1b[31m\u009b\x7f"), {}))
    EXPECT_TRUE((c >= ' ' && c <= '~') || c == '\n') << static_cast<int>(c);
}

TEST(AnalysisTable, NamesKeyTimesAndFigures) {
  const std::string text = analysis_table(report_of("busy:1"), {3001, 1});
  EXPECT_NE(
      text.find("2023-11-14T22:13:20.250Z  2023-11-14T22:13:29.500Z   1,530    50%  read   1,200     30  "
                "default  busy:1\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("1 line could not be read and was skipped\n"), std::string::npos) << text;
}

TEST(AnalysisTable, EscapesAHostileKey) {
  EXPECT_NE(analysis_table(report_of("a\x1b[2J\r\nb"), {}).find("a\\x1b[2J\\r\\nb\n"), std::string::npos);
}

TEST(AnalysisPage, EscapesAHostileKeyWhereverItStands) {
  const std::string page = analysis_page(report_of("</title><script>alert(\"1\")</script>&\x1b"), {});
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
  EXPECT_NE(
      page.find("<td class=\"key\">&lt;/title&gt;&lt;script&gt;alert(\\&quot;1\\&quot;)&lt;/script&gt;&amp;"
                "\\x1b</td>"),
      std::string::npos);
}

TEST(AnalysisPage, NamesTheFirstFiles) {
  AnalyzedInput input;
  input.files.assign(12, "<b>\x1b");
  input.files[0] = "-";
  const std::string page = analysis_page(report_of("k"), input);
  EXPECT_NE(page.find("standard input, &lt;b&gt;\\x1b, "), std::string::npos);
  EXPECT_NE(page.find("&lt;b&gt;\\x1b and 2 further files</p>"), std::string::npos);
}

TEST(AnalysisPage, LoadsNothing) {
  const std::string page = analysis_page(report_of("http://example.com/x.png"), {});
  for (const char* link : {"src=", "href=", "url(", "@import"})
    EXPECT_EQ(page.find(link), std::string::npos) << link;
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

TEST(TimelineChart, DrawsABarWhereTheKeyWasHot) {
  const std::string svg = timeline_chart(report_of("k"));
  EXPECT_NE(svg.find("<rect class=\"heat3\" x=\"25.0\" width=\"925.0\""), std::string::npos) << svg;
}

TEST(TimelineChart, KeepsTheShortestBarVisibleAtTheVeryEnd) {
  AnalysisReport report = report_of("k");
  report.episodes[0].start = report.episodes[0].end = report.totals.end;
  EXPECT_NE(timeline_chart(report).find("x=\"997.0\" width=\"3.0\""), std::string::npos);
}

TEST(TimelineChart, HasARowForEachKeyAndAColourForEachHalving) {
  AnalysisReport report = report_of("k0");
  report.episodes[0].peak_rate = 8000;
  for (const std::uint64_t peak : {4001U, 4000U, 2000U, 1000U}) {
    report.episodes.push_back(report.episodes[0]);
    report.episodes.back().key = "k" + std::to_string(peak);
    report.episodes.back().peak_rate = peak;
  }
  const std::string html = timeline_chart(report);
  std::string heats;
  for (std::size_t at = 0; (at = html.find("<rect class=\"heat", at)) != std::string::npos; ++at)
    heats += html[at + 17];
  EXPECT_EQ(heats, "33210");
}

TEST(AnalysisPage, SaysSoWhenNothingWasHot) {
  AnalysisReport report = report_of("k");
  report.episodes.clear();
  const std::string page = analysis_page(report, {});
  EXPECT_NE(page.find("No key was hot."), std::string::npos);
  EXPECT_EQ(page.find("<table"), std::string::npos);
}

TEST(AnalysisPage, SaysSoWhenThereIsNothing) {
  const std::string page = analysis_page({}, {});
  EXPECT_NE(page.find("no accesses"), std::string::npos);
  EXPECT_EQ(page.find("1970"), std::string::npos);
}

}  // namespace
}  // namespace hotkeyd
