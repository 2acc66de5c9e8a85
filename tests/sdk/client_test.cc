#include "hotkey/client.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "fake_daemon.h"
#include "wire/event.h"

#if defined(__SANITIZE_THREAD__)
// The fork test starts a thread in the child.
extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_options() { return "die_after_fork=0"; }
#endif

namespace hotkeyd::sdk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Texts = std::vector<std::string>;

constexpr seconds kPatience{20};
const Stream kFrom{"web-17", 100, "shop"};

hotkey::Options options(const FakeDaemon& daemon) {
  return {.endpoint = daemon.url(), .app = "cart", .ns = "shop", .flush_interval = milliseconds(20)};
}

std::string promoted(std::uint64_t seq, const std::string& key) {
  KeyData data;
  data.key = key;
  data.seq = seq;
  return encode_key_event(kFrom, EventType::promoted, data, 0);
}

std::string snapshot(std::uint64_t seq, const Texts& keys, std::int64_t lease_ms = 10'000) {
  Texts entries;
  for (const std::string& key : keys) {
    KeyData data;
    data.key = key;
    entries.push_back(encode_key_data(kFrom, data));
  }
  return encode_snapshot_part(kFrom, seq, 0, lease_ms, 1, 1, entries);
}

// Counts what callbacks hear, for tests to wait on.
class Heard {
 public:
  explicit Heard(hotkey::Client& client) {
    client.on_event([this](const hotkey::Event& event) {
      const std::lock_guard lock(mutex_);
      events_.push_back(event);
      changed_.notify_all();
    });
  }
  bool wait_for(hotkey::EventType type, std::uint64_t seq = 0) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, [&] {
      for (const hotkey::Event& event : events_) {
        if (event.type == type && event.seq >= seq) return true;
      }
      return false;
    });
  }
  std::vector<hotkey::Event> events() {
    const std::lock_guard lock(mutex_);
    return events_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<hotkey::Event> events_;
};

bool balances(const hotkey::Stats& stats) {
  return stats.recorded == stats.acknowledged + stats.dropped + stats.pending &&
         stats.pending <= stats.recorded;
}

TEST(Client, ReportsWhatWasRecorded) {
  FakeDaemon daemon;
  hotkey::Client client(options(daemon));
  const std::string hostile("\0\r\n\xff\"<b>", 8);
  for (int i = 0; i < 1000; ++i) client.record_read("product:1", 300);
  client.record_write("product:2");
  client.record_miss(hostile);
  client.record_read("");

  ASSERT_TRUE(client.flush(kPatience));
  const Told told = daemon.told();
  EXPECT_EQ(told.reads,
            (std::map<std::string, std::uint64_t>{{"product:1", 1000}, {"product:2", 0}, {hostile, 1}}));
  EXPECT_EQ(told.accesses, 1002U);
  const hotkey::Stats stats = client.stats();
  EXPECT_EQ(stats.recorded, 1003U);
  EXPECT_EQ(stats.acknowledged, 1002U);
  EXPECT_EQ(stats.dropped, 1U);
  EXPECT_EQ(stats.pending, 0U);
  EXPECT_EQ(told.hello, (Texts{"HELLO", "3", "SETNAME", "cart"}));
}

TEST(Client, KnowsWhatTheDaemonTells) {
  FakeDaemon daemon;
  daemon.set_snapshot(snapshot(4, {"a", "b"}));
  hotkey::Client client(options(daemon));
  Heard heard(client);
  ASSERT_TRUE(daemon.wait_until([](const Told& told) { return told.connections == 1; }));
  while (!client.is_hot("a")) std::this_thread::yield();
  EXPECT_TRUE(client.is_hot("b"));
  EXPECT_FALSE(client.is_hot("c"));

  daemon.push(promoted(5, "c"));
  ASSERT_TRUE(heard.wait_for(hotkey::EventType::promoted));
  EXPECT_TRUE(client.is_hot("c"));
  EXPECT_EQ(client.status().state, hotkey::Status::State::connected);
}

TEST(Client, HealsAGapAndSaysSo) {
  FakeDaemon daemon;
  daemon.set_snapshot(snapshot(4, {"a"}));
  hotkey::Client client(options(daemon));
  while (!client.is_hot("a")) std::this_thread::yield();
  Heard heard(client);
  daemon.set_snapshot(snapshot(9, {"b", "d"}));
  daemon.push(promoted(9, "d"));

  ASSERT_TRUE(heard.wait_for(hotkey::EventType::snapshot, 9));
  EXPECT_TRUE(client.is_hot("b"));
  EXPECT_TRUE(client.is_hot("d"));
  EXPECT_FALSE(client.is_hot("a"));
  EXPECT_THAT(heard.events(),
              testing::Contains(testing::Field(&hotkey::Event::type, hotkey::EventType::interrupted)));
}

TEST(Client, LetsTheHotSetEndWithItsLease) {
  FakeDaemon daemon;
  daemon.set_snapshot(snapshot(4, {"a"}, 50));
  hotkey::Client client(options(daemon));
  Heard heard(client);
  ASSERT_TRUE(heard.wait_for(hotkey::EventType::interrupted));
  EXPECT_FALSE(client.is_hot("a"));
}

TEST(Client, CountsOnceWhatItSendsAgainAfterALostAnswer) {
  FakeDaemon daemon;
  daemon.set_mood(Mood::hangs_up);
  hotkey::Client client(options(daemon));
  for (int i = 0; i < 10; ++i) client.record_read("a");
  ASSERT_TRUE(daemon.wait_until([](const Told& told) { return told.accesses == 10; }));
  daemon.set_mood(Mood::answers);

  ASSERT_TRUE(client.flush(kPatience));
  const Told told = daemon.told();
  EXPECT_EQ(told.accesses, 10U);
  EXPECT_GE(told.repeated, 1U);
  EXPECT_EQ(client.stats().acknowledged, 10U);
}

TEST(Client, ReconnectsToADaemonThatComesBack) {
  FakeDaemon daemon;
  hotkey::Client client(options(daemon));
  client.record_read("a");
  ASSERT_TRUE(client.flush(kPatience));
  Heard heard(client);
  daemon.stop();
  ASSERT_TRUE(heard.wait_for(hotkey::EventType::interrupted));
  EXPECT_EQ(client.status().state, hotkey::Status::State::connecting);
  client.record_read("a");
  EXPECT_TRUE(client.invalidate("a"));
  daemon.start();

  ASSERT_TRUE(daemon.wait_until([](const Told& told) { return told.invalidated == Texts{"a"}; }));
  ASSERT_TRUE(client.flush(kPatience));
  const hotkey::Stats stats = client.stats();
  EXPECT_EQ(daemon.told().accesses, stats.acknowledged);
  EXPECT_EQ(stats.acknowledged + stats.dropped, 2U);
}

TEST(Client, CountsARefusedBatchAsDroppedAndGoesOn) {
  FakeDaemon daemon;
  daemon.set_mood(Mood::refuses);
  hotkey::Client client(options(daemon));
  for (int i = 0; i < 10; ++i) client.record_read("a");
  ASSERT_TRUE(client.flush(kPatience));
  EXPECT_EQ(client.stats().dropped, 10U);

  daemon.set_mood(Mood::answers);
  client.record_read("b");
  ASSERT_TRUE(client.flush(kPatience));
  client.record_read("b");
  ASSERT_TRUE(client.flush(kPatience));
  const Told told = daemon.told();
  const hotkey::Stats stats = client.stats();
  EXPECT_EQ(told.accesses, stats.acknowledged);
  EXPECT_EQ(told.recorded, 12U);
  EXPECT_EQ(told.dropped, stats.dropped);
  ASSERT_EQ(told.batches.size(), 1U);
  const std::set<std::uint64_t>& numbers = told.batches.begin()->second;
  EXPECT_EQ(*numbers.rbegin(), numbers.size());  // No number is left out.
}

TEST(Client, RunsOnWithoutADaemon) {
  std::atomic<int> troubles{0};
  hotkey::Client client({.endpoint = "unix:///nonexistent/hotkeyd.sock",
                         .app = "cart",
                         .ns = "shop",
                         .flush_interval = milliseconds(10),
                         .on_error = [&](std::string_view) { ++troubles; }});
  std::uint64_t recorded = 0;
  while (client.stats().dropped < 100) {  // Four batches are kept.
    client.record_read("a");
    ++recorded;
    EXPECT_FALSE(client.is_hot("a"));
  }
  const hotkey::Stats stats = client.stats();
  EXPECT_EQ(stats.recorded, recorded);
  EXPECT_EQ(stats.acknowledged, 0U);
  EXPECT_TRUE(balances(stats));
  EXPECT_EQ(client.status().state, hotkey::Status::State::connecting);
  EXPECT_NE(client.status().detail.find("No such file"), std::string::npos) << client.status().detail;
  EXPECT_EQ(troubles, 1);
}

TEST(Client, DropsWhatADaemonThatNeverAnswersLeavesNoRoomFor) {
  FakeDaemon daemon;
  daemon.set_mood(Mood::ignores);
  hotkey::Client client(options(daemon));
  std::uint64_t recorded = 0;
  while (client.stats().dropped == 0) client.record_read("key:" + std::to_string(recorded++));
  EXPECT_EQ(client.stats().recorded, recorded);
  EXPECT_TRUE(balances(client.stats()));

  daemon.stop();  // Unanswered batches are sent again to the next one.
  daemon.set_mood(Mood::answers);
  daemon.start();
  ASSERT_TRUE(client.flush(kPatience));
  const hotkey::Stats stats = client.stats();
  EXPECT_EQ(stats.pending, 0U);
  EXPECT_EQ(daemon.told().accesses, stats.acknowledged);
}

TEST(Client, BalancesWhileThreadsRecordAndEnd) {
  FakeDaemon daemon;
  hotkey::Client client(options(daemon));
  std::atomic<int> running{2};
  const auto hammer = [&](int thread) {
    for (int round = 0; round < 4; ++round) {
      std::thread([&] {  // Short-lived: its recorder is handed on.
        for (int i = 0; i < 5000; ++i) client.record_read("key:" + std::to_string(thread * 7 + i % 900), 100);
      })
          .join();
    }
    --running;
  };
  std::thread first(hammer, 1);
  std::thread second(hammer, 2);
  while (running > 0) EXPECT_TRUE(balances(client.stats()));
  first.join();
  second.join();

  ASSERT_TRUE(client.flush(kPatience));
  const hotkey::Stats stats = client.stats();
  EXPECT_EQ(stats.recorded, 40'000U);
  EXPECT_EQ(stats.pending, 0U);
  EXPECT_EQ(daemon.told().accesses, stats.acknowledged);
  EXPECT_EQ(daemon.told().accesses + stats.dropped, 40'000U);
}

TEST(Client, SendsWhatIsLeftWhenItIsDestroyed) {
  FakeDaemon daemon;
  {
    hotkey::Client client(options(daemon));
    client.record_read("a");
  }
  EXPECT_TRUE(daemon.wait_until([](const Told& told) { return told.accesses == 1; }));
}

TEST(Client, LetsAThreadOutliveIt) {
  FakeDaemon daemon;
  std::atomic<int> step{0};
  auto client = std::make_unique<hotkey::Client>(options(daemon));
  std::thread thread([&] {
    client->record_read("a");
    step = 1;
    while (step == 1) std::this_thread::yield();
    hotkey::Client(options(daemon)).record_read("b");
  });
  while (step == 0) std::this_thread::yield();
  client.reset();
  step = 2;
  thread.join();
}

TEST(Client, KeepsSeveralClientsOfAThreadApart) {
  FakeDaemon daemon;
  std::vector<std::unique_ptr<hotkey::Client>> clients;
  for (int i = 0; i < 6; ++i) clients.push_back(std::make_unique<hotkey::Client>(options(daemon)));
  for (int round = 0; round < 3; ++round) {
    for (auto& client : clients) client->record_read("a");
  }
  for (auto& client : clients) EXPECT_EQ(client->stats().recorded, 3U);
  for (auto& client : clients) ASSERT_TRUE(client->flush(kPatience));
  EXPECT_EQ(daemon.told().batches.size(), 6U);
}

TEST(Client, IsDisabledByBadOptionsAndSaysWhy) {
  Texts complaints;
  hotkey::Client client({.endpoint = "nonsense", .ns = "shop", .on_error = [&](std::string_view sentence) {
                           complaints.emplace_back(sentence);
                         }});
  client.record_read("a");
  EXPECT_FALSE(client.is_hot("a"));
  EXPECT_FALSE(client.invalidate("a"));
  EXPECT_TRUE(client.flush(milliseconds(0)));
  EXPECT_EQ(client.stats().recorded, 0U);
  EXPECT_EQ(client.status().state, hotkey::Status::State::disabled);
  EXPECT_EQ(complaints,
            Texts{"hotkey: endpoint: endpoint must start with one of: unix tcp: the client is disabled"});
  EXPECT_EQ(client.status().detail, complaints[0]);
}

// What the child saw of itself, as an exit code.
int in_child(hotkey::Client& client) {
  const hotkey::Stats fresh = client.stats();
  if (fresh.recorded != 0 || fresh.pending != 0) return 1;
  client.record_read("child");
  if (!client.flush(kPatience)) return 2;
  return client.stats().acknowledged == 1 ? 0 : 3;
}

TEST(Client, IsANewProducerInAForkedChild) {
  FakeDaemon daemon;
  hotkey::Client client(options(daemon));
  client.record_read("parent");
  ASSERT_TRUE(client.flush(kPatience));
  for (int i = 0; i < 5; ++i) client.record_read("parent");

  const pid_t child = ::fork();
  if (child == 0) ::_exit(in_child(client));
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);

  ASSERT_TRUE(client.flush(kPatience));
  const Told told = daemon.told();
  EXPECT_EQ(told.reads, (std::map<std::string, std::uint64_t>{{"child", 1}, {"parent", 6}}));
  EXPECT_EQ(told.batches.size(), 2U);
  EXPECT_EQ(client.stats().acknowledged, 6U);
}

}  // namespace
}  // namespace hotkeyd::sdk
