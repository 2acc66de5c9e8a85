#include "metrics/render.h"

#include <prometheus/text_serializer.h>

#include <array>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "metrics/families.h"
#include "metrics/family_builder.h"

namespace hotkeyd {
namespace {

// A label's value as the text format writes it between quotes.
std::string escape_label(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    c == '\n' ? out += "\\n" : out += c;
  }
  return out;
}

// JSON knows no infinities.
std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  std::array<char, 32> digits{};
  const bool is_whole = std::floor(value) == value && std::abs(value) < 9e15;
  char* const end = digits.data() + digits.size();
  const auto written = is_whole ? std::to_chars(digits.data(), end, static_cast<std::int64_t>(value))
                                : std::to_chars(digits.data(), end, value, std::chars_format::general, 16);
  return {digits.data(), written.ptr};
}

// Writes samples as members of one JSON object.
class StatsWriter {
 public:
  void add(const prometheus::MetricFamily& family) {
    for (const prometheus::ClientMetric& metric : family.metric) {
      if (family.type == prometheus::MetricType::Histogram) {
        add_histogram(family.name, metric);
        continue;
      }
      const bool is_counter = family.type == prometheus::MetricType::Counter;
      add_member(family.name, metric.label, is_counter ? metric.counter.value : metric.gauge.value);
    }
  }
  std::string take() { return std::move(json_) + "}"; }

 private:
  using SampleLabels = std::vector<prometheus::ClientMetric::Label>;

  void add_histogram(const std::string& name, const prometheus::ClientMetric& metric) {
    for (const auto& bucket : metric.histogram.bucket) {
      SampleLabels labels = metric.label;
      labels.push_back({"le", std::isinf(bucket.upper_bound) ? "+Inf" : number(bucket.upper_bound)});
      add_member(name + "_bucket", labels, static_cast<double>(bucket.cumulative_count));
    }
    add_member(name + "_sum", metric.label, metric.histogram.sample_sum);
    add_member(name + "_count", metric.label, static_cast<double>(metric.histogram.sample_count));
  }

  void add_member(std::string_view name, const SampleLabels& labels, double value) {
    if (name.starts_with(kMetricPrefix)) name.remove_prefix(kMetricPrefix.size());
    std::string sample(name);
    for (const auto& label : labels)
      sample += separator(labels, label) + label.name + "=\"" + escape_label(label.value) + "\"";
    if (!labels.empty()) sample += '}';
    if (json_.size() > 1) json_ += ',';
    append_json_string(json_, sample);
    json_ += ':' + number(value);
  }

  static const char* separator(const SampleLabels& labels, const prometheus::ClientMetric::Label& label) {
    return &label == labels.data() ? "{" : ",";
  }

  std::string json_ = "{";
};

}  // namespace

std::string to_prometheus_text(const AllStats& stats) {
  return prometheus::TextSerializer{}.Serialize(families_of(stats));
}

std::string to_stats_json(const AllStats& stats) {
  StatsWriter writer;
  for (const auto& family : families_of(stats)) writer.add(family);
  return writer.take();
}

}  // namespace hotkeyd
