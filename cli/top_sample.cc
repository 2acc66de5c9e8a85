#include "cli/top_sample.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/text.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kRowItems = 5;

std::uint64_t unsigned_of(const RespValue& value) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, value.integer));
}

// What stands behind `name` until `end`; empty where the text lacks it.
std::string_view value_in(std::string_view text, std::string_view name, std::string_view end) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + name.size());
  return rest.substr(0, rest.find_first_of(end));
}

std::uint64_t number_in(std::string_view text, std::string_view name, std::string_view end) {
  return parse_unsigned(value_in(text, name, end)).value_or(0);
}

std::vector<RankedKey> ranked_keys(const RespValue& top) {
  std::vector<RankedKey> keys;
  keys.reserve(top.items.size());
  for (const RespValue& row : top.items) {
    if (row.items.size() < kRowItems) continue;
    keys.push_back({row.items[0].text, unsigned_of(row.items[1]), unsigned_of(row.items[2]),
                    row.items[3].text, row.items[4].text});
  }
  return keys;
}

}  // namespace

std::optional<double> share_of(const TopSample& sample, const RankedKey& key) {
  if (!sample.rate || *sample.rate <= 0) return std::nullopt;
  return std::min(1.0, static_cast<double>(key.rate) / *sample.rate);
}

TopSample TopSampler::take(const RespValue& top, const RespValue& info, Now now) {
  const std::string_view figures = value_in(info.text, "\nns_" + ns_ + ":", "\r\n");
  TopSample sample;
  sample.ns = ns_;
  sample.node = value_in(info.text, "\nnode:", "\r\n");
  sample.epoch = number_in(info.text, "\nepoch:", "\r\n");
  sample.at_ms = now.unix_ms;
  sample.hot_keys = number_in(figures, ",hot_keys=", ",");
  sample.tracked_keys = number_in(figures, ",tracked_keys=", ",");
  sample.keys = ranked_keys(top);

  const Counted counted{sample.epoch, number_in(figures, "accesses=", ","), now.steady};
  const auto before = std::exchange(before_, counted);
  const bool goes_on = before && before->epoch == counted.epoch && before->accesses <= counted.accesses;
  if (goes_on && before->at < counted.at) {
    const double seconds = std::chrono::duration<double>(counted.at - before->at).count();
    sample.rate = static_cast<double>(counted.accesses - before->accesses) / seconds;
  }
  return sample;
}

}  // namespace hotkeyd
