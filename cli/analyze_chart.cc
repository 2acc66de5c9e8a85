#include "cli/analyze_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "base/text.h"
#include "cli/format.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kKeysInChart = 40;
constexpr double kWidth = 1000;
constexpr double kLeft = 220;
constexpr double kRow = 18;
constexpr int kTicks = 4;

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

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     html_escape(text));
}

std::string line_at(double x1, double y1, double x2, double y2) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n", x1,
                     y1, x2, y2);
}

struct TimeAxis {
  double start;
  double span;
  explicit TimeAxis(const AnalysisTotals& totals)
      : start(static_cast<double>(totals.start)),
        span(std::max(static_cast<double>(totals.end - totals.start), 1.0)) {}
  double x(UnixUs time) const {
    return kLeft + (static_cast<double>(time) - start) / span * (kWidth - kLeft);
  }
  UnixUs at(int tick) const { return static_cast<UnixUs>(start + span * tick / kTicks); }
};

std::string bar(const AnalyzedEpisode& episode, const TimeAxis& axis, double y, std::uint64_t peak_max) {
  const double heat =
      static_cast<double>(episode.peak_rate) / static_cast<double>(std::max<std::uint64_t>(peak_max, 1));
  const double x = axis.x(episode.start);
  return fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#c2410c\" "
      "fill-opacity=\"{:.2f}\">"
      "<title>{}</title></rect>\n",
      x, y, std::max(axis.x(episode.end) - x, 1.5), kRow - 5, 0.3 + 0.7 * heat,
      html_escape(shown_key(episode.key) + ": " + rfc3339(episode.start / 1000) + " to " +
                  rfc3339(episode.end / 1000) + ", peak " + with_separators(episode.peak_rate) + "/s"));
}

std::string open_svg(double height, const char* label) {
  return fmt::format("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n", kWidth, height,
                     label);
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
  if (rows.empty()) return "<p>No key was hot.</p>\n";
  std::uint64_t peak_max = 0;
  for (const auto& [key, row] : rows) peak_max = std::max(peak_max, row.peak);
  const TimeAxis axis(report.totals);
  const double bottom = static_cast<double>(rows.size()) * kRow + 4;
  std::string svg = open_svg(bottom + 20, "when each key was hot");
  for (int tick = 0; tick <= kTicks; ++tick) {
    const double x = axis.x(axis.at(tick));
    const char* anchor = tick == 0 ? "start" : tick == kTicks ? "end" : "middle";
    svg += line_at(x, 0, x, bottom) + text_at(x, bottom + 14, anchor, rfc3339(axis.at(tick) / 1000));
  }
  double y = 2;
  for (const auto& [key, row] : rows) {
    svg += text_at(kLeft - 8, y + 11, "end", shown_key(key, 30));
    for (const AnalyzedEpisode* episode : row.episodes) svg += bar(*episode, axis, y, peak_max);
    y += kRow;
  }
  return svg + "</svg>\n";
}

std::string share_chart(const AnalysisReport& report) {
  constexpr double kHeight = 260;
  constexpr double kBottom = 230;
  if (report.top_shares.empty()) return "<p>No accesses.</p>\n";
  const auto x = [](const TopShare& point) {
    return 40 + std::log10(static_cast<double>(point.keys)) / 3 * 940;
  };
  const auto y = [](double share) { return kBottom - std::clamp(share, 0.0, 1.0) * 220; };
  std::string svg = open_svg(kHeight, "share of all accesses of the hottest keys");
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    svg += line_at(40, y(share), kWidth - 20, y(share)) +
           text_at(36, y(share) + 4, "end", fmt::format("{:.0f}%", share * 100));
  }
  std::string points;
  for (const TopShare& point : report.top_shares) {
    points += fmt::format("{:.1f},{:.1f} ", x(point), y(point.share));
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"#1d4ed8\" "
        "stroke-width=\"3\"/>\n",
        x(point), y(point.share - point.error), y(point.share + point.error));
    svg += text_at(x(point), kBottom + 16, "middle", with_separators(point.keys));
  }
  return svg + "<polyline fill=\"none\" stroke=\"#1d4ed8\" points=\"" + points + "\"/>\n</svg>\n";
}

}  // namespace hotkeyd
