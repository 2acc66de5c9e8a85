#include "server/subscriptions.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/server/server_rig.h"

namespace hotkeyd {
namespace {

using Sentences = std::vector<std::string>;

std::string confirmation(const RespValue& value) {
  if (value.items.size() != 3) return "?";
  return value.items[0].text + " " + value.items[1].text + " " + std::to_string(value.items[2].integer);
}

// Each value as a sentence: confirmations, and messages as "channel type".
Sentences seen(const std::string& bytes) {
  Sentences out;
  for (const RespValue& value : ServerRig::parse(bytes)) {
    const bool is_message = !value.items.empty() && value.items[0].text.ends_with("message");
    if (!is_message) {
      out.push_back(confirmation(value));
      continue;
    }
    const auto event = decode_event(value.items.back().text);
    out.push_back(value.items[value.items.size() - 2].text + " " + ServerRig::sentence_of(*event));
  }
  return out;
}

TEST(Subscriptions, ConfirmAllChannelsBeforeTheirSnapshots) {
  ServerRig rig;
  const auto client = rig.connect();
  EXPECT_EQ(seen(rig.raw(*client, {"SUBSCRIBE", "hotkey:events:b", "hotkey:events:a"})),
            (Sentences{"subscribe hotkey:events:b 1", "subscribe hotkey:events:a 2",
                       "hotkey:events:b snapshot 0", "hotkey:events:a snapshot 0"}));
  EXPECT_EQ(rig.detector.namespaces(), 0U);
}

TEST(Subscriptions, SendTheSnapshotAgainWhenAskedAgain) {
  ServerRig rig;
  const auto client = rig.connect();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(seen(rig.raw(*client, {"SUBSCRIBE", "hotkey:events:shop"})),
              (Sentences{"subscribe hotkey:events:shop 1", "hotkey:events:shop snapshot 0"}));
  }
}

TEST(Subscriptions, OfOtherChannelsAreConfirmedAndSilent) {
  ServerRig rig;
  const auto client = rig.connect();
  EXPECT_EQ(seen(rig.raw(*client, {"SUBSCRIBE", "news", "hotkey:events:", "hotkey:events:a b"})),
            (Sentences{"subscribe news 1", "subscribe hotkey:events: 2", "subscribe hotkey:events:a b 3"}));
  rig.run(2s);
  EXPECT_EQ(rig.read(*client), "");
}

TEST(Subscriptions, ByPatternFollowExistingNamespacesInByteOrder) {
  ServerRig rig;
  const auto client = rig.connect();
  for (const std::string ns : {"b", "a", "B", "other"}) rig.raw(*client, {"HOTKEY", "HIT", ns, "k"});
  EXPECT_EQ(seen(rig.raw(*client, {"PSUBSCRIBE", "hotkey:events:?"})),
            (Sentences{"psubscribe hotkey:events:? 1", "hotkey:events:B snapshot 0",
                       "hotkey:events:a snapshot 0", "hotkey:events:b snapshot 0"}));
}

TEST(Subscriptions, ByPatternFollowNamespacesToCome) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, {"PSUBSCRIBE", "hotkey:events:*"});
  const auto other = rig.connect();
  rig.raw(*other, {"HOTKEY", "PIN", "later", "k"});
  EXPECT_EQ(rig.events(*client), (Sentences{"snapshot 0", "promoted k 1"}));
  rig.raw(*other, {"HOTKEY", "PIN", "later", "l"});
  EXPECT_EQ(rig.events(*client), (Sentences{"promoted l 2"}));
}

TEST(Subscriptions, ByChannelGetNoNewSnapshotWhenTheNamespaceAppears) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, {"SUBSCRIBE", "hotkey:events:shop"});
  const auto other = rig.connect();
  rig.raw(*other, {"HOTKEY", "PIN", "shop", "k"});
  EXPECT_EQ(rig.events(*client), (Sentences{"promoted k 1"}));
}

TEST(Subscriptions, ThatOverlapDeliverTwice) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, {"SUBSCRIBE", "hotkey:events:shop"});
  rig.raw(*client, {"PSUBSCRIBE", "hotkey:events:s*", "h*"});
  const auto other = rig.connect();
  rig.raw(*other, {"HOTKEY", "PIN", "shop", "k"});
  // The patterns begin to follow the new namespace with a snapshot each.
  EXPECT_EQ(rig.events(*client),
            (Sentences{"snapshot 0", "snapshot 0", "promoted k 1", "promoted k 1", "promoted k 1"}));
  rig.raw(*other, {"HOTKEY", "PIN", "shop", "l"});
  EXPECT_EQ(rig.events(*client), (Sentences(3, "promoted l 2")));
}

TEST(Subscriptions, EndWhenTheyAreLeft) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, {"SUBSCRIBE", "hotkey:events:a", "hotkey:events:b"});
  EXPECT_EQ(seen(rig.raw(*client, {"UNSUBSCRIBE", "hotkey:events:a", "never"})),
            (Sentences{"unsubscribe hotkey:events:a 1", "unsubscribe never 1"}));
  EXPECT_EQ(seen(rig.raw(*client, {"UNSUBSCRIBE"})), (Sentences{"unsubscribe hotkey:events:b 0"}));
  EXPECT_EQ(rig.raw(*client, {"UNSUBSCRIBE"}), "*3\r\n$11\r\nunsubscribe\r\n$-1\r\n:0\r\n");
  rig.run(2s);
  EXPECT_EQ(rig.read(*client), "");
  EXPECT_TRUE(rig.local_streams.all().empty());
}

TEST(Subscriptions, EndWithTheirConnection) {
  ServerRig rig;
  const auto client = rig.connect();
  rig.raw(*client, {"SUBSCRIBE", "hotkey:events:a"});
  rig.raw(*client, {"PSUBSCRIBE", "*"});
  rig.subscriptions.unsubscribe_all(client->mailbox);
  const auto other = rig.connect();
  rig.raw(*other, {"HOTKEY", "PIN", "a", "k"});
  EXPECT_EQ(rig.subscriptions.size(), 0U);
  EXPECT_EQ(rig.events(*client), (Sentences{}));
}

TEST(Subscriptions, AreLimitedOverAllConnections) {
  ServerRig rig;  // At most 100.
  const auto one = rig.connect();
  const auto two = rig.connect();
  std::vector<std::string> words{"SUBSCRIBE"};
  for (int i = 0; i < 99; ++i) words.push_back("c" + std::to_string(i));
  rig.raw(*one, words);
  EXPECT_EQ(rig.raw(*two, {"SUBSCRIBE", "x", "y"}), "-ERR subscription limit (100) reached\r\n");
  EXPECT_EQ(rig.ask(*two, {"SUBSCRIBE", "x"}).items[2].integer, 1);
  EXPECT_EQ(rig.raw(*two, {"SUBSCRIBE", std::string(1025, 'x')}),
            "-ERR a channel name is longer than 1024 bytes\r\n");
}

}  // namespace
}  // namespace hotkeyd
