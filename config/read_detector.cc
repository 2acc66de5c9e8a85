// `detector`, `namespaces` and `log`.
#include <set>

#include "config/sections.h"
#include "config/values.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kNamespacesMax = 1024;
constexpr std::uint64_t kGiB = 1 << 30;

void check_window(MapReader& map, const YamlNode* window, const YamlNode* slots,
                  const DetectorOptions& options) {
  const YamlNode* at = window != nullptr ? window : slots;
  if (at == nullptr || to_ms(options.window) % options.slots == 0) return;
  map.complain(
      *at, at == window ? "window" : "slots",
      "the window must be a multiple of " + std::to_string(options.slots) + "ms, a whole millisecond a slot");
}

}  // namespace

void read_detector(const YamlNode& node, DetectorOptions& options, ReadContext& context) {
  MapReader map(node, "detector", context);
  const YamlNode* window = map.read("window", options.window, duration_between(100ms, 1h));
  const YamlNode* slots = map.read("slots", options.slots, whole<std::uint32_t>(2, 64));
  check_window(map, window, slots, options);
  map.read("memory_per_namespace", options.memory_per_namespace, size_between(64 << 10, kGiB));
  map.read("names_max", options.names_max, size_between(128 << 10, kGiB));
  map.read("top_k", options.top_k, whole<std::size_t>(1, 100'000));
  map.read("hot_keys_max", options.hot_keys_max, whole<std::size_t>(1, 1'000'000));
  map.read("admission", options.admission,
           choice<Admission, 2>(
               {{{"randomized", Admission::randomized}, {"heavy_keeper", Admission::heavy_keeper}}}));
  map.finish();
}

std::vector<std::string> read_namespaces(const YamlNode& node, ReadContext& context) {
  const auto items = read_list(node, "namespaces", kNamespacesMax, context);
  if (node.is_list() && node.values.empty())
    context.problems.add(node.place, "namespaces", "needs at least one name");
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string path = "namespaces[" + std::to_string(i) + "]";
    const auto name = read_value<std::string>(items[i], path, context, parse_name);
    if (!name) continue;
    if (!taken.insert(*name).second) context.problems.add(items[i].place, path, "this name is given twice");
    names.push_back(*name);
  }
  return names;
}

void read_log(const YamlNode& node, Config& config, ReadContext& context) {
  MapReader map(node, "log", context);
  map.read("level", config.log_level,
           choice<LogLevel, 4>({{{"debug", LogLevel::debug},
                                 {"info", LogLevel::info},
                                 {"warning", LogLevel::warning},
                                 {"error", LogLevel::error}}}));
  map.read("format", config.log_format,
           choice<LogFormat, 2>({{{"logfmt", LogFormat::logfmt}, {"json", LogFormat::json}}}));
  map.finish();
}

}  // namespace hotkeyd
