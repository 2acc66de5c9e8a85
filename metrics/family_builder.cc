#include "metrics/family_builder.h"

#include <limits>

#include "base/text.h"

namespace hotkeyd {
namespace {

std::string label_value(std::string_view value) {
  return is_valid_utf8(value) ? std::string(value) : redis_escape(value);
}

}  // namespace

FamilyBuilder::FamilyBuilder(std::string_view name, std::string_view help, prometheus::MetricType type) {
  family_.name = std::string(kMetricPrefix) + std::string(name);
  family_.help = std::string(help);
  family_.type = type;
}

FamilyBuilder FamilyBuilder::counter(std::string_view name, std::string_view help) {
  return {name, help, prometheus::MetricType::Counter};
}

FamilyBuilder FamilyBuilder::gauge(std::string_view name, std::string_view help) {
  return {name, help, prometheus::MetricType::Gauge};
}

FamilyBuilder FamilyBuilder::histogram(std::string_view name, std::string_view help) {
  return {name, help, prometheus::MetricType::Histogram};
}

FamilyBuilder&& FamilyBuilder::without_prefix() && {
  family_.name.erase(0, kMetricPrefix.size());
  return std::move(*this);
}

FamilyBuilder&& FamilyBuilder::add(const DelayHistogram& delays) && {
  prometheus::ClientMetric metric;
  std::uint64_t cumulative = 0;
  for (std::size_t i = 0; i < delays.buckets.size(); ++i) {
    cumulative += delays.buckets[i];
    const bool is_bounded = i < DelayHistogram::kBounds.size();
    const double bound = is_bounded ? DelayHistogram::kBounds[i] : std::numeric_limits<double>::infinity();
    metric.histogram.bucket.push_back({cumulative, bound});
  }
  metric.histogram.sample_count = delays.count;
  metric.histogram.sample_sum = delays.sum;
  family_.metric.push_back(std::move(metric));
  return std::move(*this);
}

void FamilyBuilder::append_to(std::vector<prometheus::MetricFamily>& families) && {
  if (!family_.metric.empty()) families.push_back(std::move(family_));
}

void FamilyBuilder::add_sample(double value, Labels labels) {
  prometheus::ClientMetric metric;
  for (const auto& [name, label] : labels) metric.label.push_back({std::string(name), label_value(label)});
  (family_.type == prometheus::MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
  family_.metric.push_back(std::move(metric));
}

}  // namespace hotkeyd
