#include "server/mailbox.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/server/server_rig.h"

namespace hotkeyd {
namespace {

using Sentences = std::vector<std::string>;

DetectorOptions with_long_keys() {
  DetectorOptions options = make_options({make_rule("rest", "*", 100)});
  options.names_max = 4 << 20;
  return options;
}

// Pins keys that fill two parts of a snapshot.
void pin_long_keys(ServerRig& rig) {
  const NamespaceId shop = *rig.streams.open("shop");
  Decisions decisions;
  for (char c = 'a'; c < 'a' + 10; ++c) {
    ASSERT_TRUE(rig.detector.pin(shop, std::string(60'000, c), std::nullopt, rig.now, decisions));
  }
  rig.streams.tell(decisions, std::nullopt);
}

void fill_once(ServerRig& rig, Client& client) {
  client.mailbox.fill([&](LocalStream& stream) { return rig.streams.capture(stream); });
}

void subscribe_unread(ServerRig& rig, Client& client) {
  const std::vector<std::string_view> words{"SUBSCRIBE", "hotkey:events:shop"};
  execute(rig.services, client, words, rig.now);
}

TEST(Mailbox, SendsALargeSnapshotAPartAtATime) {
  ServerRig rig(with_long_keys());
  const auto client = rig.connect();
  pin_long_keys(rig);
  subscribe_unread(rig, *client);
  fill_once(rig, *client);
  EXPECT_LE(client->output.size(OutputBuffer::Kind::snapshot), (512U << 10) + 100);
  EXPECT_TRUE(client->mailbox.snapshot_waits());
  EXPECT_EQ(rig.events(*client), (Sentences(2, "snapshot 10")));
  EXPECT_FALSE(client->mailbox.snapshot_waits());
}

TEST(Mailbox, HoldsEventsBehindTheSnapshotThatHasBegun) {
  ServerRig rig(with_long_keys());
  const auto client = rig.connect();
  const auto other = rig.connect();
  pin_long_keys(rig);
  subscribe_unread(rig, *client);
  fill_once(rig, *client);
  rig.raw(*other, {"HOTKEY", "PIN", "shop", "later"});
  EXPECT_EQ(rig.events(*client), (Sentences{"snapshot 10", "snapshot 10", "promoted later 11"}));
}

TEST(Mailbox, LeavesOutWhatASnapshotStillToComeWillHold) {
  ServerRig rig;
  const auto client = rig.connect();
  const auto other = rig.connect();
  subscribe_unread(rig, *client);
  rig.raw(*other, {"HOTKEY", "PIN", "shop", "k"});
  EXPECT_EQ(rig.events(*client), (Sentences{"snapshot 1"}));
}

TEST(Mailbox, ForgetsTheRestOfASnapshotThatIsNoLongerWanted) {
  ServerRig rig(with_long_keys());
  const auto client = rig.connect();
  pin_long_keys(rig);
  subscribe_unread(rig, *client);
  fill_once(rig, *client);
  rig.subscriptions.unsubscribe(client->mailbox, false, "hotkey:events:shop");
  EXPECT_FALSE(client->mailbox.snapshot_waits());
  EXPECT_EQ(rig.events(*client), (Sentences{"snapshot 10"}));
}

TEST(Mailbox, OverflowsWhenTooManyEventsWait) {
  ServerRig rig;
  const auto client = rig.connect(true, 10'000);
  rig.raw(*client, {"SUBSCRIBE", "hotkey:events:shop"});
  const auto other = rig.connect();
  while (client->output.size(OutputBuffer::Kind::event) < 9'000)
    rig.raw(*other, {"HOTKEY", "INVALIDATE", "shop", "k"});
  EXPECT_EQ(rig.overflows, 0);
  for (int i = 0; i < 10; ++i) rig.raw(*other, {"HOTKEY", "INVALIDATE", "shop", "k"});
  EXPECT_GT(rig.overflows, 0);
}

TEST(Mailbox, DoesNotCountItsSnapshotsAsPendingEvents) {
  ServerRig rig(with_long_keys());
  const auto client = rig.connect(true, 10'000);
  const auto other = rig.connect();
  pin_long_keys(rig);
  subscribe_unread(rig, *client);
  fill_once(rig, *client);
  rig.raw(*other, {"HOTKEY", "INVALIDATE", "shop", "k"});
  EXPECT_EQ(rig.overflows, 0);
  while (rig.overflows == 0) rig.raw(*other, {"HOTKEY", "INVALIDATE", "shop", "k"});  // Held events do count.
}

}  // namespace
}  // namespace hotkeyd
