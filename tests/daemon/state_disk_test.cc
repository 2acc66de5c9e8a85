#include "daemon/state_disk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "tests/support/temp_folder.h"

namespace hotkeyd {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

std::string content_of(StateDisk& disk) {
  const auto read = disk.read();
  if (!read) return "error: " + read.error();
  return read->value_or("none");
}

TEST(StateDisk, ReadsWhatItWroteAndLeavesNothingElse) {
  const TempFolder folder;
  const auto disk = open_state_disk(folder.file("state"));
  EXPECT_EQ(content_of(*disk), "none");
  const std::string large(1'000'000, '\0');
  for (const std::string& bytes : {std::string("one"), large, std::string("x")}) {
    const auto written = disk->replace(bytes);
    ASSERT_TRUE(written) << written.error();
    EXPECT_TRUE(content_of(*disk) == bytes);
  }
  EXPECT_EQ(names_in(folder.file("")), std::set<std::string>{"state"});
}

TEST(StateDisk, LetsOnlyTheOwnerReadWhateverTheUmaskAndWhatWasThere) {
  const TempFolder folder;
  const auto disk = open_state_disk(folder.file("state"));
  std::ofstream(folder.file("state.new")) << "left over from a crash";
  fs::permissions(folder.file("state.new"), fs::perms::all);
  const mode_t before = ::umask(0);
  EXPECT_TRUE(disk->replace("x"));
  ::umask(before);
  EXPECT_EQ(fs::status(folder.file("state")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(StateDisk, NamesAFolderThatDoesNotExist) {
  const TempFolder folder;
  const std::string path = folder.file("none/state");
  const auto disk = open_state_disk(path);
  EXPECT_EQ(content_of(*disk), "none");
  EXPECT_EQ(disk->replace("x").error(), path + ": the folder does not exist");
  fs::create_directory(folder.file("none"));
  EXPECT_TRUE(disk->replace("x"));
}

TEST(StateDisk, LeavesWhatIsNoRegularFileAlone) {
  const TempFolder folder;
  const std::string path = folder.file("state");
  fs::create_directory(path);
  const auto disk = open_state_disk(path);
  EXPECT_EQ(disk->read().error(), path + " is not a regular file");
  EXPECT_EQ(disk->set_aside(1).error(), path + " is not a regular file");
  EXPECT_EQ(disk->replace("x").error(), path + " cannot be replaced: it is not a regular file");
  EXPECT_EQ(names_in(folder.file("")), std::set<std::string>{"state"});
  EXPECT_TRUE(fs::remove(path));
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(disk->read().error(), path + " is not a regular file");
  EXPECT_EQ(disk->replace("x").error(), path + " cannot be replaced: it is not a regular file");
}

TEST(StateDisk, ReplacesWhatASymbolicLinkLeadsTo) {
  const TempFolder folder;
  fs::create_symlink(folder.file("far"), folder.file("state"));
  const auto disk = open_state_disk(folder.file("state"));
  ASSERT_TRUE(disk->replace("x"));
  EXPECT_TRUE(fs::is_symlink(folder.file("state")));
  EXPECT_TRUE(fs::is_regular_file(folder.file("far")));
  EXPECT_EQ(content_of(*disk), "x");
}

TEST(StateDisk, IsClaimedByOneAtATime) {
  const TempFolder folder;
  const std::string path = folder.file("state");
  auto first = open_state_disk(path);
  ASSERT_TRUE(first->claim());
  EXPECT_EQ(open_state_disk(path)->claim().error(),
            path + ": another process keeps its state there; give each daemon a path of its own");
  first.reset();
  EXPECT_TRUE(open_state_disk(path)->claim());
  EXPECT_TRUE(open_state_disk(folder.file("none/state"))->claim())
      << "saving will say that there is no folder";
}

TEST(StateDisk, KeepsTheOldFileWhenTheNewOneDoesNotFit) {
  const TempFolder folder;
  const auto disk = open_state_disk(folder.file("state"));
  ASSERT_TRUE(disk->replace("old"));
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{4096, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const auto written = disk->replace(std::string(10'000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error(), folder.file("state") + " cannot be written: File too large");
  EXPECT_EQ(content_of(*disk), "old");
  EXPECT_EQ(names_in(folder.file("")), std::set<std::string>{"state"});
}

TEST(StateDisk, SetsAsideAndKeepsTheNewestFive) {
  const TempFolder folder;
  const auto disk = open_state_disk(folder.file("state"));
  std::ofstream(folder.file("state.damaged-notes")) << "a person's";
  for (int i = 0; i < 7; ++i) {
    ASSERT_TRUE(disk->replace(std::to_string(i)));
    const auto aside = disk->set_aside(i < 2 ? 95 : 98 + i);  // Twice in one millisecond.
    ASSERT_TRUE(aside) << aside.error();
  }
  EXPECT_EQ(names_in(folder.file("")),
            (std::set<std::string>{"state.damaged-100", "state.damaged-101", "state.damaged-102",
                                   "state.damaged-103", "state.damaged-104", "state.damaged-notes"}));
  EXPECT_EQ(content_of(*disk), "none");
  EXPECT_THAT(disk->set_aside(1).error(), HasSubstr("cannot be set aside"));
}

}  // namespace
}  // namespace hotkeyd
