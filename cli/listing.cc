#include "cli/listing.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/text.h"
#include "cli/format.h"
#include "cli/json_text.h"
#include "cli/table.h"

namespace hotkeyd {
namespace {

using nlohmann::json;

std::string time_since(std::uint64_t then_ms, UnixMs now) {
  const UnixMs passed = now - static_cast<UnixMs>(then_ms);
  return in_time(std::chrono::milliseconds(std::max<UnixMs>(0, passed)));
}

std::string count_of(const json& object, const char* name) {
  return with_separators(number_of(object, name));
}

bool is_hotter(const std::pair<std::string, json>& a, const std::pair<std::string, json>& b) {
  const auto rate_a = number_of(a.second, "rate");
  const auto rate_b = number_of(b.second, "rate");
  return rate_a != rate_b ? rate_a > rate_b : a.first < b.first;
}

// "count, of which reads and writes": what a window held.
std::string window_text(const json& found) {
  const auto text = [&](const char* name, const char* one, const char* many) {
    return counted(number_of(found, name), one, many);
  };
  return text("count", "access", "accesses") + ": " + text("reads", "read", "reads") + " (" +
         text("misses", "miss", "misses") + ", " + count_of(found, "local_hits") + " answered locally), " +
         text("writes", "write", "writes") + ", " + text("bytes", "byte", "bytes");
}

std::string orders_text(const json& found) {
  const bool is_pinned = flag_of(found, "pinned");
  if (flag_of(found, "denied")) return is_pinned ? "pinned and denied: the denial wins" : "denied";
  return is_pinned ? "pinned" : "none";
}

std::string state_text(const json& found, UnixMs now) {
  const auto since = number_of(found, "since_ms");
  if (since == 0) return text_of(found, "state");
  return text_of(found, "state") + " since " + date_and_time(static_cast<UnixMs>(since)) + " (" +
         time_since(since, now) + ")";
}

std::string counter_text(const json& value) {
  if (value.is_number_unsigned()) return with_separators(value.get<std::uint64_t>());
  if (!value.is_number()) return printable(value.dump(-1, ' ', true, json::error_handler_t::replace));
  const double number = value.get<double>();
  return fixed(number, number < 1000 ? 6 : 0);
}

bool is_shown(const std::string& name, const json& value) {
  const bool is_zero = value.is_number() && value.get<double>() == 0;
  return !is_zero && name.find("_bucket{") == std::string::npos && !name.starts_with("build_info");
}

// "0.1.0", from the name build_info{version="0.1.0"}.
std::string version_in(const json& counters) {
  for (const auto& [name, value] : counters.items()) {
    if (!name.starts_with("build_info{version=\"")) continue;
    const std::string rest = name.substr(sizeof "build_info{version=");
    return printable(rest.substr(0, rest.find('"')));
  }
  return "of unknown version";
}

}  // namespace

std::string hot_keys_table(const std::vector<std::string>& key_data, UnixMs now) {
  if (key_data.empty()) return "No key is hot.\n";
  std::vector<std::pair<std::string, json>> keys;
  keys.reserve(key_data.size());
  for (json& data : parse_objects(key_data)) {
    std::string key = key_of(data);
    keys.emplace_back(std::move(key), std::move(data));
  }
  std::sort(keys.begin(), keys.end(), is_hotter);
  Table table({{"RATE/S", true},
               {"ERROR", true},
               {"CLASS"},
               {"LEVEL"},
               {"RULE"},
               {"HOT FOR", true},
               {"ACTIONS"},
               {"KEY"}});
  for (const auto& [key, data] : keys) {
    table.add({count_of(data, "rate"), count_of(data, "error"), text_of(data, "class"),
               text_of(data, "level"), text_of(data, "rule"),
               time_since(number_of(data, "detected_at_ms"), now), actions_of(data), shown_key(key)});
  }
  return table.text();
}

std::string episodes_table(const std::vector<std::string>& episodes, UnixMs now) {
  if (episodes.empty()) return "No key has been hot.\n";
  Table table({{"STARTED"}, {"LASTED", true}, {"PEAK/S", true}, {"CLASS"}, {"REASON"}, {"RULE"}, {"KEY"}});
  for (const json& episode : parse_objects(episodes)) {
    const auto started = number_of(episode, "started_ms");
    const auto ended = number_of(episode, "ended_ms");
    const std::string lasted =
        ended == 0 ? "still, " + time_since(started, now) : time_since(started, static_cast<UnixMs>(ended));
    table.add({date_and_time(static_cast<UnixMs>(started)), lasted, count_of(episode, "peak_rate"),
               text_of(episode, "class"), text_of(episode, "reason"), text_of(episode, "rule"),
               shown_key(key_of(episode))});
  }
  return table.text();
}

std::string explanation(const std::string& key, const std::string& answer, UnixMs now) {
  const std::string shown = shown_key(key);
  if (answer.empty()) {
    return shown +
           " is not tracked: it was not accessed lately, or too rarely beside other keys, and there is no "
           "order on it.\n";
  }
  const json found = parse_object(answer);
  const std::string rate = count_of(found, "rate") + "/s, at most " + count_of(found, "error") + "/s off";
  return shown + ": " + text_of(found, "why") + "\n\n" + "  state    " + state_text(found, now) + "\n" +
         "  rule     " + text_of(found, "rule") + "\n" + "  rate     " + rate + "\n" + "  class    " +
         text_of(found, "class") + "\n" + "  window   " + window_text(found) + "\n" + "  orders   " +
         orders_text(found) + "\n";
}

std::string status_text(const std::string& stats, const std::string& address, UnixMs now) {
  const json counters = parse_object(stats);
  std::string headline = "hotkeyd " + version_in(counters) + " at " + printable(address);
  const auto started = number_of(counters, "process_start_time_seconds");
  if (started != 0) headline += ", up " + time_since(started * 1000, now);
  Table table({{"VALUE", true}, {"COUNTER"}});
  for (const auto& [name, value] : counters.items()) {
    if (is_shown(name, value)) table.add({counter_text(value), printable(name)});
  }
  return headline + "\n\n" + table.text();
}

}  // namespace hotkeyd
