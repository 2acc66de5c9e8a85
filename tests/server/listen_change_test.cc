#include "server/listen_change.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "server/resp_server.h"
#include "tests/server/loop_client.h"
#include "tests/server/server_rig.h"
#include "tests/support/temp_folder.h"

namespace hotkeyd {
namespace {

// A server on the sockets named, in a folder of its own.
struct ListeningServer {
  explicit ListeningServer(const std::vector<std::string>& names)
      : listen(listens(names)), detector(roomy_options(), read_clocks()) {
    ServerOptions options;
    options.node = "web-17";
    options.listen = listen;
    ServerHooks hooks;
    hooks.outlet = &outlet;
    server = std::make_unique<RespServer>(io, options, detector, hooks);
    EXPECT_TRUE(server->listen());
    server->start();
  }

  static DetectorOptions roomy_options() {
    DetectorOptions options = make_options({make_rule("rest", "*", 100)});
    options.hot_keys_max = 2000;
    return options;
  }

  ListenOptions listen_on(const std::string& name, std::uint32_t mode = 0600) const {
    return {*parse_endpoint("unix://" + folder.file(name), "unix"), mode, std::nullopt};
  }
  std::vector<ListenOptions> listens(const std::vector<std::string>& names) const {
    std::vector<ListenOptions> out;
    for (const std::string& name : names) out.push_back(listen_on(name));
    return out;
  }
  Result<void> change(const std::vector<ListenOptions>& wanted) {
    auto opened = ListenChange::open(io, listen, wanted);
    if (!opened) return Error{opened.error()};
    server->change_listeners(std::move(*opened));
    listen = wanted;
    return {};
  }
  std::string ask(const std::string& name) {
    return LoopClient(io, folder.file(name)).ask({"ECHO", name}).text;
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder.file(name)); }
  std::uint32_t mode(const std::string& name) const {
    struct stat found {};
    EXPECT_EQ(::stat(folder.file(name).c_str(), &found), 0);
    return found.st_mode & 0777;
  }
  std::vector<std::string> addresses() const {
    std::vector<std::string> names;
    for (const std::string& address : server->bound_addresses())
      names.push_back(address.substr(address.rfind('/') + 1));
    return names;
  }

  TempFolder folder;
  std::vector<ListenOptions> listen;
  asio::io_context io;
  Detector detector;
  RecordingOutlet outlet;
  std::unique_ptr<RespServer> server;
};

using Names = std::vector<std::string>;

TEST(ListenChange, StartsWhatIsNewAndStopsWhatIsGone) {
  ListeningServer running({"a", "b"});
  LoopClient by_a(running.io, running.folder.file("a"));
  LoopClient by_b(running.io, running.folder.file("b"));
  EXPECT_EQ(by_a.ask({"PING"}).text, "PONG");
  ASSERT_TRUE(running.change(running.listens({"c", "b"})));
  EXPECT_EQ(running.addresses(), (Names{"c", "b"}));
  EXPECT_EQ(running.ask("c"), "c");
  EXPECT_EQ(running.ask("b"), "b");
  EXPECT_FALSE(running.exists("a"));
  EXPECT_EQ(by_a.ask({"ECHO", "still here"}).text, "still here");
  EXPECT_EQ(by_b.ask({"ECHO", "here too"}).text, "here too");
}

TEST(ListenChange, LeavesAKeptSocketFileAlone) {
  ListeningServer running({"a"});
  struct stat before {};
  struct stat after {};
  ::stat(running.folder.file("a").c_str(), &before);
  ASSERT_TRUE(running.change(running.listens({"b", "a"})));
  ::stat(running.folder.file("a").c_str(), &after);
  EXPECT_EQ(before.st_ino, after.st_ino);
}

TEST(ListenChange, ChangesNothingWhereOneAddressCannotBeHad) {
  ListeningServer running({"a"});
  std::vector<ListenOptions> wanted = running.listens({"b"});
  wanted.push_back(running.listen_on("no/such/folder"));
  wanted.push_back(running.listen_on("a", 0666));
  const auto changed = running.change(wanted);
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error(), "unix://" + running.folder.file("no/such/folder") +
                                 ": cannot bind: its folder does not exist: make it, or name another path");
  EXPECT_FALSE(running.exists("b"));
  EXPECT_EQ(running.mode("a"), 0600U);
  EXPECT_EQ(running.ask("a"), "a");
}

TEST(ListenChange, GivesAKeptSocketItsNewMode) {
  ListeningServer running({"a"});
  ASSERT_TRUE(running.change({running.listen_on("a", 0666)}));
  EXPECT_EQ(running.mode("a"), 0666U);
  EXPECT_EQ(running.ask("a"), "a");
}

TEST(ListenChange, TakesBackModesWhereAGroupIsUnknown) {
  ListeningServer running({"a", "b"});
  std::vector<ListenOptions> wanted{running.listen_on("a", 0666), running.listen_on("b")};
  wanted[1].group = "no-such-group";
  const auto changed = running.change(wanted);
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error(), "unix://" + running.folder.file("b") + ": no such group: no-such-group");
  EXPECT_EQ(running.mode("a"), 0600U);
}

// Two times "any free port" are two listeners; the same again keeps both.
TEST(ListenChange, KeepsPortsThatWereFreeOnes) {
  ListeningServer running({"a"});
  const ListenOptions any_port{*parse_endpoint("tcp://127.0.0.1:0", "tcp"), 0660, std::nullopt};
  ASSERT_TRUE(running.change({any_port, any_port}));
  const Names before = running.addresses();
  EXPECT_EQ(before.size(), 2U);
  ASSERT_TRUE(running.change({any_port, any_port}));
  EXPECT_EQ(running.addresses(), before);
}

// The pace of telling ends with the server: 1,500 decisions of the last requests reach the publishers.
TEST(RespServerStop, TellsEverythingThatTheLastRequestsDecided) {
  ListeningServer running({"a"});
  std::string bytes;
  for (int i = 0; i < 500; ++i) append_command(bytes, {"COMMAND", "DOCS"});  // Fills the first turn.
  for (int i = 0; i < 1500; ++i) append_command(bytes, {"HOTKEY", "PIN", "shop", std::to_string(i)});
  LoopClient client(running.io, running.folder.file("a"));
  client.send(bytes);
  ASSERT_TRUE(run_until(running.io, [&] { return client.unread() > 0; }));
  ASSERT_TRUE(running.outlet.events.empty());
  bool done = false;
  running.server->stop([&] { done = true; }, std::chrono::seconds{60});
  EXPECT_TRUE(run_until(running.io, [&] { return client.poll(), done; }));
  EXPECT_EQ(client.read(2000).size(), 2000U);
  EXPECT_EQ(running.outlet.events.size(), 1500U);
}

}  // namespace
}  // namespace hotkeyd
