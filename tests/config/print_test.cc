#include <gmock/gmock.h>

#include "tests/config/outcome.h"

namespace hotkeyd {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kHostile = R"(
namespaces: [a, b]
listen: [{ url: unix:///s, mode: "0600", group: g }, "tcp://127.0.0.1:0"]
http: off
rules:
  - name: "off"
    match: "$${X} \"'\\*: # é\x07"
    ns: b
    window: 60s
    promote: { rate: 100/min, writes: 0.3/s, misses: 7/s, share: 7%, share_floor: 33/s }
    demote: { rate: 1/s, after: 250ms }
    near_cache: off
    hot_pool: { at: 5/s }
    split: { at: 7/s }
    alert: { at: 9/s }
publishers:
  - { type: redis, name: "a b", endpoint: "redis://app:${PASS}@h:1/2", relay: false }
state: "/var/lib/$${X}/s '\"t"
log: { level: warning, format: json }
)";

TEST(PrintConfig, ShowsTheEmbeddedDefaultWhole) {
  EXPECT_EQ(print_config(embedded_default(test_host())),
            R"(node: "web-17"
namespaces_max: 16
listen:
  - {url: "unix:///run/test/hotkeyd.sock", mode: "0660"}
  - {url: "tcp://127.0.0.1:7420"}
http: {listen: "127.0.0.1:7421"}
detector:
  window: 1s
  slots: 10
  memory_per_namespace: 2MiB
  names_max: 4MiB
  top_k: 1000
  hot_keys_max: 10000
  admission: randomized
rules:
  - name: "default"
    match: "*"
    window: 1s
    promote: {rate: 1000/s, writes: 1000/s}
    demote: {after: 5s}
    near_cache: {ttl: 1s, max_value_bytes: 1MiB}
publishers: []
lease: 10s
drain: 10s
state: off
log: {level: info, format: logfmt}
)");
}

TEST(PrintConfig, IsReadBackAsTheSameConfiguration) {
  const std::string printed = print_config(config_of(kHostile));
  EXPECT_EQ(print_config(config_of(printed)), printed);
  EXPECT_THAT(printed, HasSubstr("rate: 100/min, writes: 18/min, misses: 7/s, share: 7%"));
}

TEST(PrintConfig, HidesPasswords) {
  const Config config = config_of(kHostile);
  EXPECT_THAT(print_config(config), Not(HasSubstr("s3cr3t")));
  EXPECT_THAT(print_config(config), HasSubstr("redis://app:***@h:1/2"));
  for (const auto& [name, value] : config_pairs(config)) EXPECT_THAT(value, Not(HasSubstr("s3cr3t"))) << name;
}

TEST(PrintConfig, ShowsKafkaPropertiesWithoutTheirSecrets) {
  const std::string printed = print_config(
      config_of("publishers: [{ type: kafka, brokers: ['b:1'], properties: { sasl.password: s3cr3t, "
                "sasl.username: app, ssl.key.password: s3cr3t } }]\n"));
  EXPECT_THAT(printed, Not(HasSubstr("s3cr3t")));
  EXPECT_THAT(printed, HasSubstr("sasl.username: \"app\""));
  EXPECT_EQ(print_config(config_of(printed)), printed);
}

TEST(ConfigPairs, NameEveryValueByItsPath) {
  const auto pairs = config_pairs(embedded_default(test_host()));
  const std::map<std::string, std::string> by_name(pairs.begin(), pairs.end());
  EXPECT_EQ(by_name.size(), pairs.size());
  EXPECT_EQ(by_name.at("node"), "web-17");
  EXPECT_EQ(by_name.at("detector.window"), "1s");
  EXPECT_EQ(by_name.at("listen[1].url"), "tcp://127.0.0.1:7420");
  EXPECT_EQ(by_name.at("rules[0].promote.rate"), "1000/s");
}

}  // namespace
}  // namespace hotkeyd
