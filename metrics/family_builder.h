// Builds one metric family sample by sample. Label values are made valid UTF-8 here, once for all.
#pragma once

#include <prometheus/metric_family.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/stats.h"

namespace hotkeyd {

inline constexpr std::string_view kMetricPrefix = "hotkeyd_";

using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

class FamilyBuilder {
 public:
  // `name` without the prefix hotkeyd_; `help` is printed as it is: no backslash, no line break.
  static FamilyBuilder counter(std::string_view name, std::string_view help);
  static FamilyBuilder gauge(std::string_view name, std::string_view help);
  static FamilyBuilder histogram(std::string_view name, std::string_view help);
  // A name that the whole Prometheus world shares, without our prefix.
  FamilyBuilder&& without_prefix() &&;

  template <typename Number>
  FamilyBuilder&& add(Number value, Labels labels = {}) && {
    add_sample(static_cast<double>(value), labels);
    return std::move(*this);
  }
  template <typename Number>
  void add(Number value, Labels labels = {}) & {
    add_sample(static_cast<double>(value), labels);
  }
  FamilyBuilder&& add(const DelayHistogram& delays) &&;

  // Families without a sample are left out.
  void append_to(std::vector<prometheus::MetricFamily>& families) &&;

 private:
  FamilyBuilder(std::string_view name, std::string_view help, prometheus::MetricType type);
  void add_sample(double value, Labels labels);

  prometheus::MetricFamily family_;
};

}  // namespace hotkeyd
