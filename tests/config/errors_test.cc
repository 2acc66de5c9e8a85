// One line per kind of error, compared as a whole: place, path, reason and suggestion are a promise.
#include <gmock/gmock.h>

#include "tests/config/outcome.h"

namespace hotkeyd {
namespace {

struct Golden {
  std::string text;
  std::vector<std::string> errors;
};

void expect_all(const std::vector<Golden>& cases) {
  for (const Golden& golden : cases) EXPECT_EQ(errors_of(golden.text), golden.errors) << golden.text;
}

std::string rule(const std::string& lines) { return "rules:\n  - name: r\n    match: \"*\"\n" + lines; }

TEST(ConfigErrors, AreReportedTogetherInTheOrderOfTheFile) {
  expect_all(
      {{"node: a\nnodee: b\ndetector:\n  window: 1parsec\n  slotz: 10\nrules:\n  - name: r\n    match: "
        "\"*\"\n"
        "    promote: { rate: fast }\n",
        {"f:2:1: nodee: unknown key (did you mean node?)",
         "f:4:11: detector.window: must be written as 500ms, 1s, 5min or 1h",
         "f:5:3: detector.slotz: unknown key (did you mean slots?)",
         "f:9:22: rules[0].promote.rate: must be written as 1000/s or 60000/min"}}});
}

TEST(ConfigErrors, StopAtAHundred) {
  std::string text;
  for (int i = 0; i < 150; ++i) text += "zz" + std::to_string(i) + ": 1\n";
  const auto errors = errors_of(text);
  EXPECT_EQ(errors.size(), 101U);
  EXPECT_EQ(errors.back(), "f:100:1: and 50 more errors");
}

TEST(ConfigErrors, SuggestTheKeyThatWasMeant) {
  expect_all({{"ruls: []\n", {"f:1:1: ruls: unknown key (did you mean rules?)"}},
              {"http:\n  lisen: 127.0.0.1:1\n", {"f:2:3: http.lisen: unknown key (did you mean listen?)"}},
              {"detector: { memory_max: 16MiB }\n", {"f:1:13: detector.memory_max: unknown key"}},
              {"log: { level: inof }\n",
               {"f:1:15: log.level: must be debug, info, warning or error (did you mean info?)"}},
              {"\"\\x1b]0;a\": 1\n", {"f:1:1: \\x1b]0;a: unknown key"}},
              {"<<: 1\n", {"f:1:1: <<: unknown key"}}});
}

TEST(ConfigErrors, NameRepeatedKeys) {
  expect_all({{"node: a\nnode: b\n", {"f:2:1: node: this key is given twice"}},
              {"detector:\n  slots: 10\n  window: 1s\n  slots: 20\n",
               {"f:4:3: detector.slots: this key is given twice"}}});
}

TEST(ConfigErrors, NameWrongUnitsAndRanges) {
  const std::string duration = "must be written as 500ms, 1s, 5min or 1h";
  expect_all(
      {{"detector: { window: -1s }\n", {"f:1:21: detector.window: " + duration}},
       {"detector: { window: 0s }\n", {"f:1:21: detector.window: must be from 100ms to 3600s"}},
       {"lease: 10\n", {"f:1:8: lease: a unit is missing: write 500ms, 1s, 5min or 1h"}},
       {"lease: 1.2345s\n", {"f:1:8: lease: must be whole milliseconds, at most a year"}},
       {"detector: { slots: many }\n", {"f:1:20: detector.slots: must be a whole number from 2 to 64"}},
       {"detector: { slots: 65 }\n", {"f:1:20: detector.slots: must be a whole number from 2 to 64"}},
       {"detector: { memory_per_namespace: 16XiB }\n",
        {"f:1:35: detector.memory_per_namespace: must be written as 64KiB, 16MiB or 1GiB"}},
       {"detector: { memory_per_namespace: 1B }\n",
        {"f:1:35: detector.memory_per_namespace: must be from 64KiB to 1GiB"}},
       {"detector: { window: 1s, slots: 3 }\n",
        {"f:1:21: detector.window: the window must be a multiple of 3ms, a whole millisecond a slot"}},
       {rule("    promote: { rate: 1000 }\n"),
        {"f:4:22: rules[0].promote.rate: a unit is missing: write 1000/s or 60000/min"}},
       {rule("    promote: { rate: 0/s }\n"),
        {"f:4:22: rules[0].promote.rate: must be above 0/s and at most 10^12/s"}},
       {rule("    promote: { rate: 1/s, share: 200% }\n"),
        {"f:4:34: rules[0].promote.share: must be above 0% and at most 100%"}},
       {rule("    promote: { rate: 5000000000/s }\n"),
        {"f:4:22: rules[0].promote.rate: is more than a window can count (4294967295 accesses)"}}});
}

TEST(ConfigErrors, NameWrongShapes) {
  const std::string map = "must be a map of keys and values";
  expect_all(
      {{"detector: 5\n", {"f:1:11: detector: " + map}},
       {"detector:\n",
        {"f:2:1: detector: has no value; it must be a map of keys and values "
         "(without the key the default applies)"}},
       {"node: [a]\n", {"f:1:7: node: must be a single value"}},
       {"rules: {}\n", {"f:1:8: rules: must be a list"}},
       {"rules: []\n", {"f:1:8: rules: needs at least one rule (without the key the default applies)"}},
       {"listen: []\n", {"f:1:9: listen: needs at least one address"}},
       {"namespaces: []\n", {"f:1:13: namespaces: needs at least one name"}},
       {"? [a]\n: b\n", {"f:1:3: a key must be a single word"}},
       {"- a\n", {"f:1:1: " + map}},
       {"5\n", {"f:1:1: " + map}},
       {"node: !!str a\n", {"f:1:7: tags are not supported"}}});
}

TEST(ConfigErrors, NameWrongNames) {
  const std::string name = "must be 1 to 128 of the characters A-Z a-z 0-9 _ . -";
  expect_all({{"node: 'a b'\n", {"f:1:7: node: " + name}},
              {"namespaces: [ok, 'a|b']\n", {"f:1:18: namespaces[1]: " + name}},
              {"namespaces: [a, a]\n", {"f:1:17: namespaces[1]: this name is given twice"}},
              {"namespaces: [a]\nnamespaces_max: 5\n",
               {"f:2:17: namespaces_max: excludes namespaces: a fixed set needs no limit"}}});
}

TEST(ConfigErrors, NameWrongListens) {
  const std::string beyond =
      "beyond loopback needs auth, which is not in this version: listen on a unix socket or 127.0.0.1";
  expect_all(
      {{"listen: [ftp://x]\n", {"f:1:10: listen[0]: endpoint must start with one of: unix tcp"}},
       {"listen: ['tcp://127.0.0.1:99999']\n", {"f:1:10: listen[0]: port must be a number from 0 to 65535"}},
       {"listen: ['tcp://0.0.0.0:7420']\n", {"f:1:10: listen[0]: " + beyond}},
       {"listen: ['tcp://127.evil.example:7420']\n", {"f:1:10: listen[0]: " + beyond}},
       {"listen: ['tls://127.0.0.1:7420']\n", {"f:1:10: listen[0]: tls:// is not in this version"}},
       {"listen: ['tcp://a:b@127.0.0.1:1']\n", {"f:1:10: listen[0]: a listen has no user or password"}},
       {"listen: [unix:///a, unix:///a]\n", {"f:1:21: listen[1]: this address is given twice"}},
       {"listen: [{ url: unix:///a, mode: 0660 }]\n",
        {"f:1:34: listen[0].mode: must be in quotes, such as \"0660\", since YAML reads a bare number its "
         "own way"}},
       {"listen: [{ url: unix:///a, mode: \"0888\" }]\n",
        {"f:1:34: listen[0].mode: must be octal digits in quotes, such as \"0660\""}},
       {"listen: [{ url: unix:///a, mode: \"7777\" }]\n",
        {"f:1:34: listen[0].mode: must be at most \"0777\": a socket has no other bits"}},
       {"listen: [{ url: 'tcp://127.0.0.1:1', group: g }]\n",
        {"f:1:45: listen[0].group: only a unix socket has one"}},
       {"listen: [{ mode: \"0660\" }]\n", {"f:1:10: listen[0]: url is missing"}},
       {"http: { listen: 'tcp://127.0.0.1:1' }\n",
        {"f:1:17: http.listen: must be host:port without a scheme"}},
       {"http: { listen: 7421 }\n", {"f:1:17: http.listen: port is missing"}}});
  EXPECT_EQ(errors_of("listen: ['tcp://127.0.0.1:0', 'tcp://127.0.0.1:0']\n"), std::vector<std::string>{});
}

TEST(ConfigErrors, NameWrongRules) {
  expect_all({{"rules:\n  - { name: r, promote: { rate: 1/s } }\n",
               {"f:2:5: rules[0]: one of match, regex and exact is missing"}},
              {"rules:\n  - { name: r, match: a, exact: b, promote: { rate: 1/s } }\n",
               {"f:2:33: rules[0].exact: only one of match, regex and exact is allowed"}},
              {"rules:\n  - { match: a }\n",
               {"f:2:5: rules[0]: name is missing", "f:2:5: rules[0]: promote is missing"}},
              {"rules:\n  - { name: r, match: '', promote: { rate: 1/s } }\n",
               {"f:2:23: rules[0].match: must not be empty"}},
              {rule("    promote: {}\n"),
               {"f:4:14: rules[0].promote: one of rate, writes, misses and share is missing"}},
              {rule("    promote: { rate: 1/s, share_floor: 5/s }\n"),
               {"f:4:40: rules[0].promote.share_floor: has no effect without share"}},
              {rule("    promote: { rate: 100/s }\n    demote: { rate: 200/s }\n"),
               {"f:5:21: rules[0].demote.rate: must be below promote.rate (100/s)"}},
              {rule("    promote: { rate: 100/s }\n    demote: { rate: 6000/min }\n"),
               {"f:5:21: rules[0].demote.rate: must be below promote.rate (100/s)"}},
              {rule("    promote: { writes: 100/s }\n    demote: { rate: 20/s }\n"),
               {"f:5:21: rules[0].demote.rate: has no effect without promote.rate"}},
              {rule("    promote: { rate: 1/s }\n    near_cache: on\n"),
               {"f:5:17: rules[0].near_cache: must be off or a map of ttl and max_value_bytes"}},
              {rule("    promote: { rate: 1/s }\n    split: { shards: 4 }\n"),
               {"f:5:12: rules[0].split: at is missing"}},
              {rule("    promote: { rate: 1/s }\n    window: 1003ms\n"),
               {"f:5:13: rules[0].window: must be a multiple of 10ms, since the detector has 10 slots"}},
              {"namespaces: [a]\n" + rule("    promote: { rate: 1/s }\n    ns: b\n"),
               {"f:6:9: rules[0].ns: is not in namespaces"}},
              {"rules:\n  - { name: r, match: a, promote: { rate: 1/s } }\n  - { name: r, match: b, promote: "
               "{ rate: 1/s } }\n",
               {"f:3:5: rules[1]: the name r is given twice"}}});
}

TEST(ConfigErrors, NameTheReasonOfAnExpressionThatRe2Refuses) {
  const auto errors = errors_of("rules:\n  - name: r\n    regex: \"([\"\n    promote: { rate: 1/s }\n");
  EXPECT_THAT(errors, testing::ElementsAre(testing::StartsWith(
                          "f:3:12: rules[0].regex: RE2 refuses this regular expression: missing")));
}

TEST(ConfigErrors, LimitTheNumberOfWindows) {
  std::string text = "rules:\n";
  for (int i = 2; i <= 10; ++i) {
    const std::string n = std::to_string(i);
    text += "  - { name: r" + n + ", match: a, window: " + n + "s, promote: { rate: 1/s } }\n";
  }
  EXPECT_EQ(errors_of(text),
            (std::vector<std::string>{"f:9:5: rules[7]: rules may have at most 8 different windows, "
                                      "detector.window included"}));
}

TEST(ConfigErrors, NameWrongKafkaPublishers) {
  const std::string begin = "publishers:\n  - type: kafka\n    brokers: [ 'b:9092' ]\n    ";
  expect_all(
      {{"publishers: [{ type: kafka }]\n", {"f:1:14: publishers[0]: brokers is missing"}},
       {"publishers: [{ type: kafka, brokers: [] }]\n",
        {"f:1:38: publishers[0].brokers: must name at least one broker"}},
       {"publishers: [{ type: kafka, brokers: ['h:1', 'h', ':1', 'h:0', 'kafka://h:1', 'h:1,g:2'] }]\n",
        {"f:1:46: publishers[0].brokers[1]: must be host:port, for example 127.0.0.1:9092",
         "f:1:51: publishers[0].brokers[2]: must be host:port, for example 127.0.0.1:9092",
         "f:1:57: publishers[0].brokers[3]: must be host:port, for example 127.0.0.1:9092",
         "f:1:64: publishers[0].brokers[4]: must be host:port, for example 127.0.0.1:9092",
         "f:1:79: publishers[0].brokers[5]: must be host:port, for example 127.0.0.1:9092"}},
       {begin + "topic: 'hot keys'\n",
        {"f:4:12: publishers[0].topic: must be a topic: 1 to 249 of the characters A-Z a-z 0-9 . _ -"}},
       {begin + "relay: true\n", {"f:4:5: publishers[0].relay: unknown key"}},
       {begin + "properties: { linger.mz: 5 }\n",
        {"f:4:19: publishers[0].properties.linger.mz: librdkafka has no such option (did you mean "
         "linger.ms?)"}},
       {begin + "properties: { linger.ms: soon }\n",
        {"f:4:30: publishers[0].properties.linger.ms: librdkafka does not take this value, only: 0 .. "
         "900000"}},
       {begin + "properties: { acks: 1 }\n",
        {"f:4:19: publishers[0].properties.acks: is set by hotkeyd, so that no event is lost and those of a "
         "key stay in order"}},
       {begin + "properties: { plugin.library.paths: /tmp/x.so }\n",
        {"f:4:19: publishers[0].properties.plugin.library.paths: is refused: it makes the daemon load or run "
         "foreign code"}},
       {begin + "properties: { group.id: g }\n",
        {"f:4:19: publishers[0].properties.group.id: is an option of consumers; a publisher has no use for "
         "it"}},
       {begin + "properties: { linger.ms: 5, linger.ms: 6 }\n",
        {"f:4:33: publishers[0].properties.linger.ms: this key is given twice"}},
       {begin + "properties: [ linger.ms ]\n",
        {"f:4:17: publishers[0].properties: must be a map of keys and values"}}});
}

TEST(ConfigErrors, NameWrongPublishers) {
  const std::string endpoint = "endpoint: redis://127.0.0.1:1";
  expect_all({{"publishers: [{ type: pigeon }]\n", {"f:1:22: publishers[0].type: must be redis or kafka"}},
              {"publishers: [{ type: redis }]\n", {"f:1:14: publishers[0]: endpoint is missing"}},
              {"publishers: [{ type: redis, endpoint: 'http://x' }]\n",
               {"f:1:39: publishers[0].endpoint: endpoint must start with one of: redis redis+unix"}},
              {"publishers: [{ type: redis, endpoint: 'rediss://x' }]\n",
               {"f:1:39: publishers[0].endpoint: rediss:// is not in this version"}},
              {"publishers: [{ type: redis, endpoint: 'redis+cluster://x' }]\n",
               {"f:1:39: publishers[0].endpoint: redis+cluster:// is not in this version"}},
              {"publishers: [{ type: redis, " + endpoint + ", heartbeat: 4s }]\n",
               {"f:1:71: publishers[0].heartbeat: must be at most a third of the lease (10s)"}},
              {"publishers: [{ type: redis, " + endpoint + ", relay: yes }]\n",
               {"f:1:67: publishers[0].relay: must be true or false"}},
              {"publishers:\n  - { type: redis, " + endpoint + " }\n  - { type: redis, " + endpoint + " }\n",
               {"f:3:5: publishers[1]: its name is taken: give each publisher a name of its own"}}});
}

TEST(ConfigErrors, RefuseWhatALaterVersionWillHave) {
  for (const std::string key :
       {"auth", "tls", "sources", "authoritative", "hot_pool", "privacy", "metrics"}) {
    EXPECT_EQ(errors_of(key + ": {}\n"), (std::vector{"f:1:1: " + key + ": not in this version"}));
  }
  EXPECT_EQ(errors_of("http: { tokens: [] }\n"),
            (std::vector<std::string>{"f:1:9: http.tokens: not in this version"}));
}

TEST(ConfigErrors, RefuseAStateThatIsNoFile) {
  const std::string no_file =
      "f:1:8: state: needs the absolute path of a file, such as /var/lib/hotkeyd/state, or off";
  expect_all({{"state: kept\n", {no_file}},
              {"state: \"\"\n", {no_file}},
              {"state: /var/lib/\n", {no_file}},
              {"state: /" + std::string(4000, 'a') + "\n",
               {"f:1:8: state: is no path: at most 3900 bytes, none of them NUL"}}});
}

TEST(ConfigErrors, NameVariablesWithoutShowingValues) {
  expect_all(
      {{"node: ${NONE}\n", {"f:1:7: node: the environment variable NONE is not set"}},
       {"node: ${NONE:?set NONE first}\n", {"f:1:7: node: set NONE first"}},
       {"node: ${EMPTY:?set it}\n", {"f:1:7: node: set it"}},
       {"node: ${NODE\n", {"f:1:7: node: ${ without } (write $${ for the two characters themselves)"}},
       {"node: ${1}\n", {"f:1:7: node: a variable is written ${NAME}, ${NAME:-default} or ${NAME:?message}"}},
       {"lease: ${PASS}\n", {"f:1:8: lease: must be written as 500ms, 1s, 5min or 1h"}},
       {"publishers: [{ type: redis, endpoint: 'redis://a:${PASS}@h:x' }]\n",
        {"f:1:39: publishers[0].endpoint: port must be a number from 0 to 65535"}}});
}

}  // namespace
}  // namespace hotkeyd
