#include "metrics/render.h"

#include <gmock/gmock.h>
#include <re2/re2.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/metrics/sample_stats.h"

namespace hotkeyd {
namespace {

// name{labels} -> value, of a text that is valid line by line; other lines fail the test.
std::map<std::string, std::string> samples_of(const std::string& text) {
  const RE2 comment(R"(# (HELP|TYPE) [a-z_]+ .+)");
  const RE2 sample(R"re(([a-z_]+(?:\{(?:[a-z_]+="(?:[^"\\]|\\[\\"n])*",?)*\})?) ([0-9.e+-]+|[+-]Inf))re");
  std::map<std::string, std::string> samples;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (RE2::FullMatch(line, comment)) continue;
    std::string name;
    std::string value;
    EXPECT_TRUE(RE2::FullMatch(line, sample, &name, &value)) << line;
    EXPECT_TRUE(samples.emplace(name, value).second) << "twice: " << line;
  }
  return samples;
}

std::set<std::string> names_of(const std::map<std::string, std::string>& samples) {
  std::set<std::string> names;
  for (const auto& [sample, value] : samples) names.insert(sample.substr(0, sample.find('{')));
  return names;
}

TEST(PrometheusText, HasEveryPromisedName) {
  const auto names = names_of(samples_of(to_prometheus_text(sample_stats())));
  for (const char* name : {"build_info",
                           "source_accesses_total",
                           "source_dropped_accesses_total",
                           "source_lost_batches_total",
                           "source_lost_accesses_total",
                           "source_sampling_one_in",
                           "detector_accesses_total",
                           "detector_tracked_keys",
                           "detector_memory_bytes",
                           "detector_hot_keys",
                           "detector_hottest_rate",
                           "detector_alerting_keys",
                           "detector_decisions_total",
                           "detector_detection_delay_seconds_bucket",
                           "detector_detection_delay_seconds_sum",
                           "detector_detection_delay_seconds_count",
                           "publisher_events_total",
                           "publisher_failed_events_total",
                           "publisher_queue_events",
                           "publisher_up",
                           "near_cache_hits_total",
                           "near_cache_loads_total",
                           "near_cache_entries",
                           "near_cache_bytes",
                           "near_cache_oldest_seconds",
                           "server_clients",
                           "server_cut_subscribers_total",
                           "loop_lag_seconds",
                           "config_last_reload_successful",
                           "config_last_reload_success_timestamp_seconds"}) {
    EXPECT_TRUE(names.contains(std::string("hotkeyd_") + name)) << name;
  }
  for (const auto& name : names)
    EXPECT_TRUE(name.starts_with("hotkeyd_") || name.starts_with("process_")) << name;
}

TEST(PrometheusText, ShowsTheFiguresOfEveryComponent) {
  const auto samples = samples_of(to_prometheus_text(sample_stats()));
  const std::map<std::string, std::string> expected{
      {"build_info{version=\"0.1.0\"}", "1"},
      {"source_accesses_total{source=\"report\",ns=\"shop\"}", "370"},
      {"source_accesses_total{source=\"hit\",ns=\"shop\"}", "7"},
      {"source_dropped_accesses_total{source=\"report\",reason=\"late\"}", "3"},
      {"detector_accesses_total{ns=\"shop\",kind=\"read\"}", "360"},
      {"detector_accesses_total{ns=\"shop\",kind=\"write\"}", "17"},
      {"detector_accesses_total{ns=\"shop\",kind=\"miss\"}", "20"},
      {"detector_accesses_total{ns=\"shop\",kind=\"local_hit\"}", "30"},
      {"detector_hot_keys{ns=\"shop\",class=\"read\"}", "2"},
      {"detector_alerting_keys{ns=\"shop\"}", "1"},
      {"detector_decisions_total{kind=\"promoted\"}", "3"},
      {"detector_memory_bytes", "2097152"},
      {"near_cache_hits_total{ns=\"shop\"}", "50"},
      {"near_cache_entries{ns=\"shop\"}", "12"},
      {"near_cache_bytes{ns=\"shop\"}", "3400"},
      {"near_cache_oldest_seconds{ns=\"shop\"}", "0.25"},
      {"publisher_events_total{sink=\"redis\"}", "9"},
      {"publisher_failed_events_total{sink=\"redis\",reason=\"timeout\"}", "2"},
      {"publisher_up{sink=\"redis\"}", "1"},
      {"server_clients", "4"},
      {"loop_lag_seconds", "0.00125"},
      {"http_responses_total{code=\"404\"}", "1"},
      {"config_last_reload_success_timestamp_seconds", "1796053922.5"},
  };
  for (const auto& [name, value] : expected) {
    const auto found = samples.find("hotkeyd_" + name);
    ASSERT_NE(found, samples.end()) << name;
    EXPECT_EQ(found->second, value) << name;
  }
}

TEST(PrometheusText, ShowsTheDelayCumulatively) {
  const auto samples = samples_of(to_prometheus_text(sample_stats()));
  const std::string name = "hotkeyd_detector_detection_delay_seconds";
  EXPECT_EQ(samples.at(name + "_bucket{le=\"0.0001\"}"), "0");
  EXPECT_EQ(samples.at(name + "_bucket{le=\"0.00025\"}"), "1");
  EXPECT_EQ(samples.at(name + "_bucket{le=\"1\"}"), "2");
  EXPECT_EQ(samples.at(name + "_bucket{le=\"+Inf\"}"), "3");
  EXPECT_EQ(samples.at(name + "_count"), "3");
  EXPECT_EQ(samples.at(name + "_sum"), "3.5002");
}

TEST(PrometheusText, ShowsZerosBeforeAnythingHappened) {
  const auto samples = samples_of(to_prometheus_text(AllStats{}));
  for (const char* name :
       {"detector_decisions_total{kind=\"promoted\"}", "detector_decisions_total{kind=\"updated\"}",
        "detector_decisions_total{kind=\"demoted\"}",
        "source_dropped_accesses_total{source=\"report\",reason=\"overload\"}",
        "source_dropped_accesses_total{source=\"hit\",reason=\"namespace\"}", "source_lost_batches_total",
        "server_clients", "detector_memory_bytes"}) {
    EXPECT_EQ(samples.at(std::string("hotkeyd_") + name), "0") << name;
  }
}

TEST(PrometheusText, StaysValidWithHostileLabels) {
  AllStats stats = sample_stats();
  stats.publishers[0].sink = "a\"b\\c\nd\xff";
  const std::string text = to_prometheus_text(stats);
  EXPECT_TRUE(samples_of(text).contains("hotkeyd_publisher_up{sink=\"a\\\\\\\"b\\\\\\\\c\\\\nd\\\\xff\"}"))
      << text;
}

TEST(StatsJson, HoldsTheSamplesOfThePrometheusText) {
  const auto samples = samples_of(to_prometheus_text(sample_stats()));
  const auto json = nlohmann::json::parse(to_stats_json(sample_stats()));
  EXPECT_EQ(json.size(), samples.size());
  for (const auto& [name, value] : samples) {
    const std::string member = name.starts_with("hotkeyd_") ? name.substr(8) : name;
    ASSERT_TRUE(json.contains(member)) << member;
    EXPECT_DOUBLE_EQ(json.at(member).get<double>(), std::stod(value)) << member;
  }
}

TEST(StatsJson, WritesWholeNumbersWhole) {
  EXPECT_THAT(to_stats_json(sample_stats()),
              testing::HasSubstr(R"("source_accesses_total{source=\"report\",ns=\"shop\"}":370,)"));
}

TEST(StatsJson, NeverHoldsAnInfinity) {
  AllStats stats;
  stats.data.loop_lag_seconds = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(nlohmann::json::parse(to_stats_json(stats)).at("loop_lag_seconds").is_null());
}

TEST(ProcessStats, SeeThisProcess) {
  const ProcessStats stats = read_process_stats();
  EXPECT_GT(stats.resident_bytes, 100'000U);
  EXPECT_GT(stats.virtual_bytes, stats.resident_bytes);
  EXPECT_GE(stats.open_fds, 3U);
  EXPECT_GE(stats.threads, 1U);
  EXPECT_GE(stats.cpu_seconds, 0);
}

}  // namespace
}  // namespace hotkeyd
