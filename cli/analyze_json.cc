#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/analyze_text.h"

namespace hotkeyd {
namespace {

using Json = nlohmann::ordered_json;

double in_seconds(UnixUs time) { return static_cast<double>(time) / 1e6; }

Json json_of(const AnalyzedEpisode& episode) {
  Json json;
  const bool is_text = is_valid_utf8(episode.key);
  json["key"] = is_text ? Json(episode.key) : Json();
  if (!is_text) json["key_b64"] = base64_encode(episode.key);
  json["rule"] = episode.rule ? Json(*episode.rule) : Json();
  json["class"] = to_string(episode.key_class);
  json["start"] = in_seconds(episode.start);
  json["end"] = in_seconds(episode.end);
  json["peak_rate"] = episode.peak_rate;
  json["share"] = episode.share;
  json["saved_reads"] = episode.near.saved;
  json["stale_reads"] = episode.near.stale;
  return json;
}

Json json_of(const AnalysisTotals& totals, const AnalyzedInput& input) {
  return {{"start", in_seconds(totals.start)},
          {"end", in_seconds(totals.end)},
          {"accesses", totals.accesses},
          {"reads", totals.reads},
          {"writes", totals.writes},
          {"misses", totals.misses},
          {"episodes", totals.episodes},
          {"unlisted_episodes", totals.unlisted},
          {"still_hot", totals.still_hot},
          {"hot_accesses", totals.hot_accesses},
          {"saved_reads", totals.near.saved},
          {"stale_reads", totals.near.stale},
          {"hot_pool_reads", totals.hot_pool_reads},
          {"lines", input.lines},
          {"bad_lines", input.bad_lines},
          {"late_accesses", totals.late},
          {"skipped_accesses", totals.skipped}};
}

}  // namespace

std::string analysis_json(const AnalysisReport& report, const AnalyzedInput& input) {
  Json episodes = Json::array();
  for (const AnalyzedEpisode& episode : report.episodes) episodes.push_back(json_of(episode));
  Json shares = Json::array();
  for (const TopShare& point : report.top_shares)
    shares.push_back({{"keys", point.keys}, {"share", point.share}, {"error", point.error}});
  Json totals = json_of(report.totals, input);
  totals["top_shares"] = std::move(shares);
  Json whole;
  whole["episodes"] = std::move(episodes);
  whole["totals"] = std::move(totals);
  return whole.dump(-1, ' ', true) + "\n";  // ASCII only: nothing in a key reaches a terminal raw.
}

}  // namespace hotkeyd
