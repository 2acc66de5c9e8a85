#include <gmock/gmock.h>

#include "tests/config/outcome.h"

namespace hotkeyd {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

constexpr std::string_view kFull = R"(
node: ${NODE}
namespaces: [shop, search]
listen:
  - { url: unix:///run/hotkeyd/hotkeyd.sock, mode: "0600", group: hotkey }
  - tcp://127.0.0.1:7000
http: { listen: "[::1]:7001" }
detector: { window: 2s, slots: 20, memory_per_namespace: 4MiB, names_max: 8MiB, top_k: 50, hot_keys_max: 7, admission: heavy_keeper }
rules:
  - name: stock
    match: "seckill:stock:*"
    promote: { rate: 1000/s, writes: 100/s }
    demote: { rate: 700/s, after: 7s }
    near_cache: off
    split: { shards: 8, at: 5000/s }
  - name: product
    regex: "^product:[0-9]+$"
    ns: shop
    promote: { share: 10%, share_floor: 50/s, misses: 5/s }
    near_cache: { ttl: 250ms, max_value_bytes: 64KiB }
    hot_pool: { copies: 2, at: 6000/s }
    alert: { at: 100000/s }
  - { name: pages, exact: "page:1", window: 60s, promote: { rate: 600/min } }
publishers:
  - { type: redis, endpoint: "redis://app:${PASS}@10.0.0.7:6380/3", relay: false, queue_events_max: 500 }
  - { type: redis, name: second, endpoint: redis+unix:///run/redis.sock, heartbeat: 1s }
lease: 6s
drain: 2s
log: { level: debug, format: json }
)";

TEST(ParseConfig, ReadsTheTopLevelOfAFullFile) {
  const Config config = config_of(kFull);
  EXPECT_EQ(config.node, "from-env");
  EXPECT_EQ(config.server.node, "from-env");
  EXPECT_EQ(config.lease, Duration(6s));
  EXPECT_EQ(config.server.lease, Duration(6s));
  EXPECT_EQ(config.drain, Duration(2s));
  EXPECT_EQ(config.log_level, LogLevel::debug);
  EXPECT_EQ(config.log_format, LogFormat::json);
  EXPECT_TRUE(config.has_rules);
  EXPECT_EQ(config.http.listen->address(), "[::1]:7001");
}

TEST(ParseConfig, ReadsListensInBothForms) {
  const Config config = config_of(kFull);
  ASSERT_EQ(config.server.listen.size(), 2U);
  EXPECT_EQ(config.server.listen[0].endpoint.path, "/run/hotkeyd/hotkeyd.sock");
  EXPECT_EQ(config.server.listen[0].mode, 0600U);
  EXPECT_EQ(config.server.listen[0].group, "hotkey");
  EXPECT_EQ(config.server.listen[1].endpoint.address(), "127.0.0.1:7000");
}

TEST(ParseConfig, ReadsTheDetector) {
  const DetectorOptions detector = config_of(kFull).detector;
  EXPECT_EQ(detector.window, Duration(2s));
  EXPECT_EQ(detector.slots, 20U);
  EXPECT_EQ(detector.memory_per_namespace, 4U << 20);
  EXPECT_EQ(detector.names_max, 8U << 20);
  EXPECT_EQ(detector.top_k, 50U);
  EXPECT_EQ(detector.hot_keys_max, 7U);
  EXPECT_EQ(detector.admission, Admission::heavy_keeper);
  EXPECT_THAT(detector.namespaces, ElementsAre("shop", "search"));
  EXPECT_EQ(detector.namespaces_max, 2U);
}

TEST(ParseConfig, ReadsRatesActionsAndHysteresisOfARule) {
  const RuleOptions rule = config_of(kFull).detector.rules.at(0);
  EXPECT_EQ(rule.name, "stock");
  EXPECT_EQ(rule.match_kind, MatchKind::glob);
  EXPECT_EQ(rule.pattern, "seckill:stock:*");
  EXPECT_EQ(rule.promote.rate, 1000);
  EXPECT_EQ(rule.promote.writes, 100);
  EXPECT_EQ(rule.demote.rate, 700);
  EXPECT_EQ(rule.demote.after, Duration(7s));
  EXPECT_EQ(rule.near_cache, std::nullopt);
  EXPECT_EQ(rule.split, (SplitOptions{8, 5000}));
}

TEST(ParseConfig, ReadsShareMissesAndNamespaceOfARule) {
  const RuleOptions rule = config_of(kFull).detector.rules.at(1);
  EXPECT_EQ(rule.match_kind, MatchKind::regex);
  EXPECT_EQ(rule.ns, "shop");
  EXPECT_EQ(rule.promote.rate, std::nullopt);
  EXPECT_EQ(rule.promote.writes, std::nullopt) << "without rate only the ways named exist";
  EXPECT_EQ(rule.promote.misses, 5);
  EXPECT_EQ(rule.promote.share, 0.1);
  EXPECT_EQ(rule.promote.share_floor, 50);
  EXPECT_EQ(rule.near_cache, (NearCacheOptions{250ms, 64 << 10}));
  EXPECT_EQ(rule.hot_pool, (HotPoolOptions{2, 6000}));
  EXPECT_EQ(rule.alert, (AlertOptions{100'000}));
}

TEST(ParseConfig, ReadsRatesPerMinuteAndWindowsOfTheirOwn) {
  const RuleOptions rule = config_of(kFull).detector.rules.at(2);
  EXPECT_EQ(rule.match_kind, MatchKind::exact);
  EXPECT_EQ(rule.window, Duration(60s));
  EXPECT_EQ(rule.promote.rate, 10);
  EXPECT_EQ(rule.promote.writes, 10) << "the default of writes is rate";
}

TEST(ParseConfig, ReadsAKafkaPublisher) {
  const Config config = config_of(
      "publishers:\n  - { type: kafka, brokers: ['a:9092', '[::1]:9093'], topic: t, properties: { "
      "security.protocol: SSL, linger.ms: 2 } }\n  - { type: redis, endpoint: 'redis://h:1' }\n");
  ASSERT_EQ(config.publishers.size(), 2U);
  const PublisherOptions& kafka = config.publishers[0];
  EXPECT_EQ(kafka.type, PublisherType::kafka);
  EXPECT_EQ(kafka.name, "kafka");
  EXPECT_EQ(kafka.kafka.brokers, (std::vector<std::string>{"a:9092", "[::1]:9093"}));
  EXPECT_EQ(kafka.kafka.topic, "t");
  EXPECT_EQ(kafka.kafka.properties,
            (std::map<std::string, std::string>{{"security.protocol", "SSL"}, {"linger.ms", "2"}}));
}

TEST(ParseConfig, ReadsPublishers) {
  const Config config = config_of(kFull);
  ASSERT_EQ(config.publishers.size(), 2U);
  const PublisherOptions& first = config.publishers[0];
  EXPECT_EQ(first.name, "redis");
  EXPECT_EQ(first.endpoint.address(), "10.0.0.7:6380");
  EXPECT_EQ(first.endpoint.password, "s3cr3t");
  EXPECT_EQ(first.endpoint.database, 3);
  EXPECT_EQ(first.heartbeat, Duration(2s)) << "a third of the lease where that is less than 3 s";
  EXPECT_FALSE(first.relay);
  EXPECT_EQ(first.queue_events_max, 500U);
  EXPECT_EQ(config.publishers[1].name, "second");
  EXPECT_EQ(config.publishers[1].heartbeat, Duration(1s));
}

TEST(ParseConfig, GivesTheEmbeddedDefaultForABlankFile) {
  for (const char* blank : {"", "\n", "# only a comment\n", "---\n"}) {
    const Config config = config_of(blank);
    EXPECT_EQ(print_config(config), print_config(embedded_default(test_host()))) << blank;
    EXPECT_FALSE(config.has_rules) << blank;
  }
}

TEST(ParseConfig, KeepsDefaultsOfWhatTheFileLeavesOut) {
  const Config config = config_of("node: a\n");
  ASSERT_EQ(config.server.listen.size(), 2U);
  EXPECT_EQ(config.server.listen[0].endpoint.path, "/run/test/hotkeyd.sock");
  EXPECT_EQ(config.server.listen[0].mode, 0660U);
  EXPECT_EQ(config.detector.rules.at(0).name, "default");
}

TEST(ParseConfig, TakesJsonAndAliasesToo) {
  EXPECT_EQ(config_of("{\"node\": \"a\", \"lease\": \"6s\"}").lease, Duration(6s));
  const Config config = config_of("lease: &time 5s\ndrain: *time\n");
  EXPECT_EQ(config.drain, Duration(5s));
}

TEST(ParseConfig, TurnsHttpOff) { EXPECT_EQ(config_of("http: off\n").http.listen, std::nullopt); }

TEST(ParseConfig, ExpandsVariablesAfterParsingOnly) {
  HostFacts host = test_host();
  host.environment["GLOB"] = "a: {x} # \"'-*";
  const auto outcome = parse_config(
      "rules: [{ name: r, match: \"${GLOB}\", promote: { rate: \"${NONE:-10/s}\" } }]", "f", host);
  ASSERT_TRUE(outcome.config);
  EXPECT_EQ(outcome.config->detector.rules[0].pattern, "a: {x} # \"'-*");
  EXPECT_EQ(outcome.config->detector.rules[0].promote.rate, 10);
}

TEST(EmbeddedDefault, PutsTheSocketWhereTheMachineSays) {
  const auto socket = [](std::map<std::string, std::string> environment) {
    return embedded_default({"h", std::move(environment)}).server.listen.at(0).endpoint.path;
  };
  EXPECT_EQ(socket({{"RUNTIME_DIRECTORY", "/run/a:/run/b"}, {"XDG_RUNTIME_DIR", "/run/user/1"}}),
            "/run/a/hotkeyd.sock");
  EXPECT_EQ(socket({{"XDG_RUNTIME_DIR", "/run/user/1"}}), "/run/user/1/hotkeyd.sock");
  EXPECT_EQ(socket({{"RUNTIME_DIRECTORY", "relative"}}), "/run/hotkeyd/hotkeyd.sock");
  EXPECT_EQ(socket({{"RUNTIME_DIRECTORY", "/" + std::string(100, 'a')}}), "/run/hotkeyd/hotkeyd.sock");
}

TEST(EmbeddedDefault, KeepsStateWhereTheMachineSays) {
  const auto state = [](std::map<std::string, std::string> environment) {
    return embedded_default({"h", std::move(environment)}).state;
  };
  EXPECT_EQ(state({{"STATE_DIRECTORY", "/var/lib/a:/var/lib/b"}}), "/var/lib/a/state");
  EXPECT_EQ(state({{"STATE_DIRECTORY", "relative"}}), std::nullopt);
  EXPECT_EQ(state({}), std::nullopt);
}

TEST(ParseConfig, TakesAStateFileOverTheDefault) {
  HostFacts host = test_host();
  host.environment["STATE_DIRECTORY"] = "/var/lib/a";
  const auto state = [&](std::string_view text) {
    return parse_config(text, "f", host).config.value().state;
  };
  EXPECT_EQ(state(""), "/var/lib/a/state");
  EXPECT_EQ(state("state: /elsewhere"), "/elsewhere");
  EXPECT_EQ(state("state: off"), std::nullopt);
}

TEST(EmbeddedDefault, MakesAnyHostNameANode) {
  EXPECT_EQ(embedded_default({"a b\xff", {}}).node, "a-b-");
  EXPECT_EQ(embedded_default({"", {}}).node, "localhost");
}

}  // namespace
}  // namespace hotkeyd
