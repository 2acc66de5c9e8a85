#include <cmath>

#include "cli/top_frame.h"
#include "wire/json_writer.h"

namespace hotkeyd {
namespace {

std::string key_json(const RankedKey& key) {
  std::string json;
  JsonWriter out(json);
  out.begin_object();
  out.key(key.key);
  out.number("rate", key.rate);
  out.number("error", key.error);
  out.text("class", key.key_class);
  out.text("state", key.state);
  out.end_object();
  return json;
}

}  // namespace

std::string top_json(const TopSample& sample) {
  std::vector<std::string> keys;
  keys.reserve(sample.keys.size());
  for (const RankedKey& key : sample.keys) keys.push_back(key_json(key));
  std::string json;
  JsonWriter out(json);
  out.begin_object();
  out.text("ns", sample.ns);
  out.text("node", sample.node);
  out.number("as_of_ms", sample.at_ms);
  if (sample.rate) {
    out.number("rate", std::llround(*sample.rate));
  } else {
    out.null("rate");
  }
  out.number("hot_keys", sample.hot_keys);
  out.number("tracked_keys", sample.tracked_keys);
  out.array("keys", keys);
  out.end_object();
  return json + "\n";
}

}  // namespace hotkeyd
