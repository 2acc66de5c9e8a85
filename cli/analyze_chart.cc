#include "cli/analyze_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "base/text.h"
#include "cli/format.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kKeysInChart = 40;
constexpr std::size_t kKeyCharacters = 60;
constexpr double kTrackWidth = 1000;  // The page stretches it to the width there is.
constexpr double kBarWidthMin = 3;
constexpr int kTicks = 4;
constexpr int kHeats = 4;
constexpr UnixUs kSecond = 1'000'000;
constexpr UnixUs kDay = 24 * 3600 * kSecond;

struct KeyRow {
  std::uint64_t saved = 0;
  std::uint64_t peak = 0;
  std::vector<const AnalyzedEpisode*> episodes;
};

using KeyRows = std::vector<std::pair<std::string_view, KeyRow>>;

KeyRows rows_of(const AnalysisReport& report) {
  std::map<std::string_view, KeyRow> by_key;
  for (const AnalyzedEpisode& episode : report.episodes) {
    KeyRow& row = by_key[episode.key];
    row.saved += episode.near.saved;
    row.peak = std::max(row.peak, episode.peak_rate);
    row.episodes.push_back(&episode);
  }
  KeyRows rows(by_key.begin(), by_key.end());
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return std::tie(a.second.saved, a.second.peak) > std::tie(b.second.saved, b.second.peak);
  });
  if (rows.size() > kKeysInChart) rows.resize(kKeysInChart);
  return rows;
}

struct TimeAxis {
  double start;
  double span;
  explicit TimeAxis(const AnalysisTotals& totals)
      : start(static_cast<double>(totals.start)),
        span(std::max(static_cast<double>(totals.end - totals.start), 1.0)) {}
  double x(UnixUs time) const { return (static_cast<double>(time) - start) / span * kTrackWidth; }

  // As short as the span allows: "11-30 15:52", "15:52:02" or "15:52:02.113".
  std::string tick(int tick) const {
    const std::string time = rfc3339(static_cast<UnixUs>(start + span * tick / kTicks) / 1000);
    if (span > kDay) return time.substr(5, 5) + " " + time.substr(11, 5);
    return time.substr(11, span < 10 * kSecond ? 12 : 8);
  }
};

// From 0, at most an eighth of the highest peak, to 3, more than half of it.
int heat_of(std::uint64_t peak, std::uint64_t peak_max) {
  int heat = kHeats - 1;
  while (heat > 0 && peak <= peak_max >> (kHeats - heat)) --heat;
  return heat;
}

std::string bar(const AnalyzedEpisode& episode, const TimeAxis& axis, std::uint64_t peak_max) {
  const double width = std::max(axis.x(episode.end) - axis.x(episode.start), kBarWidthMin);
  const double x = std::min(axis.x(episode.start), kTrackWidth - width);
  return fmt::format(
      "<rect class=\"heat{}\" x=\"{:.1f}\" width=\"{:.1f}\" height=\"10\"><title>{}</title></rect>\n",
      heat_of(episode.peak_rate, peak_max), x, width,
      html_escape(shown_key(episode.key, kKeyCharacters) + ": " + rfc3339(episode.start / 1000) + " to " +
                  rfc3339(episode.end / 1000) + ", peak " + with_separators(episode.peak_rate) + "/s"));
}

std::string track(std::string_view key, const KeyRow& row, const TimeAxis& axis, std::uint64_t peak_max) {
  std::string html = "<div class=\"row\"><span class=\"key\">" + html_escape(shown_key(key, kKeyCharacters)) +
                     fmt::format(
                         "</span>\n<svg class=\"track\" viewBox=\"0 0 {} 10\" role=\"img\" "
                         "preserveAspectRatio=\"none\" aria-label=\"hot {}\">\n",
                         kTrackWidth, counted(row.episodes.size(), "time", "times"));
  for (const AnalyzedEpisode* episode : row.episodes) html += bar(*episode, axis, peak_max);
  return html + "</svg><span class=\"peak\">" + with_separators(row.peak) + "/s</span></div>\n";
}

std::string time_scale(const TimeAxis& axis) {
  std::string html = "<div class=\"row scale\"><span class=\"key\">time (UTC)</span><span class=\"ticks\">";
  for (int tick = 0; tick <= kTicks; ++tick) html += "<span>" + axis.tick(tick) + "</span>";
  return html + "</span><span class=\"peak\">peak</span></div>\n";
}

std::string legend(std::uint64_t peak_max) {
  std::string html = "<p class=\"legend\">Accesses a second at an episode's peak:";
  for (int heat = 0; heat < kHeats; ++heat) {
    html += fmt::format("\n<span><i class=\"heat{}\"></i>up to {}</span>", heat,
                        with_separators(peak_max >> (kHeats - 1 - heat)));
  }
  return html + "</p>\n";
}

// The curve of the top shares: its points at equal distances, which is nearly logarithmic.
struct ShareCanvas {
  static constexpr double kWidth = 640;
  static constexpr double kHeight = 300;
  static constexpr double kLeft = 50;
  static constexpr double kTop = 24;
  static constexpr double kBottom = 250;
  double step;
  explicit ShareCanvas(std::size_t points) : step((kWidth - kLeft) / static_cast<double>(points)) {}
  double x(std::size_t at) const { return kLeft + step * (static_cast<double>(at) + 0.5); }
  static double y(double share) { return kBottom - std::clamp(share, 0.0, 1.0) * (kBottom - kTop); }
};

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, text);
}

std::string line_at(const char* kind, double x1, double y1, double x2, double y2) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind,
                     x1, y1, x2, y2);
}

std::string share_grid() {
  std::string svg;
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const double y = ShareCanvas::y(share);
    svg += line_at("grid", ShareCanvas::kLeft, y, ShareCanvas::kWidth, y) +
           text_at(ShareCanvas::kLeft - 6, y + 4, "end", in_percent(share));
  }
  return svg + text_at((ShareCanvas::kLeft + ShareCanvas::kWidth) / 2, ShareCanvas::kHeight - 8, "middle",
                       "number of hottest keys");
}

}  // namespace

std::string html_escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string timeline_chart(const AnalysisReport& report) {
  const KeyRows rows = rows_of(report);
  if (rows.empty()) return {};
  std::uint64_t peak_max = 0;
  for (const auto& [key, row] : rows) peak_max = std::max(peak_max, row.peak);
  const TimeAxis axis(report.totals);
  std::string html = legend(peak_max) + "<div class=\"timeline\">\n" + time_scale(axis);
  for (const auto& [key, row] : rows) html += track(key, row, axis, peak_max);
  return html + (rows.size() > 10 ? time_scale(axis) : std::string()) + "</div>\n";
}

std::string share_chart(const AnalysisReport& report) {
  if (report.top_shares.empty()) return {};
  const ShareCanvas canvas(report.top_shares.size());
  std::string svg = fmt::format(
      "<svg class=\"shares\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" "
      "aria-label=\"share of all accesses that go to the hottest keys\">\n",
      ShareCanvas::kWidth, ShareCanvas::kHeight);
  svg += share_grid();
  std::string points;
  for (std::size_t at = 0; at < report.top_shares.size(); ++at) {
    const TopShare& point = report.top_shares[at];
    const double x = canvas.x(at);
    const double y = ShareCanvas::y(point.share);
    points += fmt::format("{:.1f},{:.1f} ", x, y);
    svg += line_at("error", x, ShareCanvas::y(point.share - point.error), x,
                   ShareCanvas::y(point.share + point.error));
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n", x, y);
    svg += text_at(x - 7, ShareCanvas::y(point.share + point.error) - 6, "end", in_percent(point.share));
    svg += text_at(x, ShareCanvas::kBottom + 18, "middle", with_separators(point.keys));
  }
  return svg + "<polyline points=\"" + points + "\"/>\n</svg>\n";
}

}  // namespace hotkeyd
