#include "io/unix_listen.h"

#include <grp.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "tests/support/temp_folder.h"

namespace hotkeyd {
namespace {

bool can_connect(const std::string& path) {
  const FileDescriptor client(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  return ::connect(client.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
}

struct stat status_of(const std::string& path) {
  struct stat out {};
  ::lstat(path.c_str(), &out);
  return out;
}

// A socket file as a killed daemon leaves it.
void leave_stale_socket(const std::string& path) {
  const auto killed = listen_unix({path, 0600, std::nullopt});
  ASSERT_TRUE(killed);
}

TEST(UnixListen, TakesConnections) {
  const TempFolder folder;
  const auto listening = listen_unix({folder.file("s"), 0600, std::nullopt});
  ASSERT_TRUE(listening) << listening.error();
  EXPECT_TRUE(can_connect(folder.file("s")));
}

TEST(UnixListen, GivesTheModeWhateverTheUmask) {
  const TempFolder folder;
  for (const mode_t umask_now : {0000U, 0077U, 0777U}) {
    const mode_t before = ::umask(umask_now);
    const auto listening = listen_unix({folder.file("s"), 0666, std::nullopt});
    ::umask(before);
    ASSERT_TRUE(listening) << listening.error();
    EXPECT_EQ(status_of(folder.file("s")).st_mode & 0777, 0666U);
    remove_socket_file(listening->file);
  }
}

TEST(UnixListen, GivesTheGroupByNameOrNumber) {
  const TempFolder folder;
  const std::string number = std::to_string(::getgid());
  for (const std::string& group : {number, std::string(::getgrgid(::getgid())->gr_name)}) {
    const auto listening = listen_unix({folder.file("s"), 0660, group});
    ASSERT_TRUE(listening) << listening.error();
    EXPECT_EQ(status_of(folder.file("s")).st_gid, ::getgid());
    remove_socket_file(listening->file);
  }
}

TEST(UnixListen, LeavesNothingBehindWhenTheGroupIsUnknown) {
  const TempFolder folder;
  const auto listening = listen_unix({folder.file("s"), 0660, "no-such-group"});
  ASSERT_FALSE(listening);
  EXPECT_EQ(listening.error(), "no such group: no-such-group");
  EXPECT_FALSE(std::filesystem::exists(folder.file("s")));
}

TEST(UnixListen, ReplacesASocketThatNobodyServes) {
  const TempFolder folder;
  leave_stale_socket(folder.file("s"));
  ASSERT_FALSE(can_connect(folder.file("s")));
  const auto listening = listen_unix({folder.file("s"), 0600, std::nullopt});
  ASSERT_TRUE(listening) << listening.error();
  EXPECT_TRUE(can_connect(folder.file("s")));
}

TEST(UnixListen, LeavesASocketAloneThatIsServed) {
  const TempFolder folder;
  const auto first = listen_unix({folder.file("s"), 0600, std::nullopt});
  ASSERT_TRUE(first);
  const auto second = listen_unix({folder.file("s"), 0600, std::nullopt});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error(), "another process serves this socket");
  EXPECT_TRUE(can_connect(folder.file("s")));
}

TEST(UnixListen, LeavesAFileAloneThatIsNoSocket) {
  const TempFolder folder;
  std::ofstream(folder.file("s")) << "precious";
  const auto listening = listen_unix({folder.file("s"), 0600, std::nullopt});
  ASSERT_FALSE(listening);
  EXPECT_EQ(listening.error(), "a file that is not a socket is in the way");
  EXPECT_EQ(std::filesystem::file_size(folder.file("s")), 8U);
}

TEST(UnixListen, NamesTheReasonWhenTheFolderIsMissing) {
  const TempFolder folder;
  const auto listening = listen_unix({folder.file("none/s"), 0600, std::nullopt});
  ASSERT_FALSE(listening);
  EXPECT_EQ(listening.error(), "cannot bind: its folder does not exist: make it, or name another path");
}

TEST(UnixListen, RefusesAPathThatDoesNotFit) {
  const auto listening = listen_unix({"/tmp/" + std::string(103, 'x'), 0600, std::nullopt});
  ASSERT_FALSE(listening);
  EXPECT_EQ(listening.error(), "the path is longer than 107 bytes");
}

TEST(UnixListen, RemovesOnlyItsOwnFile) {
  const TempFolder folder;
  const auto first = listen_unix({folder.file("s"), 0600, std::nullopt});
  ASSERT_TRUE(first);
  std::filesystem::remove(folder.file("s"));
  const auto second = listen_unix({folder.file("s"), 0600, std::nullopt});
  ASSERT_TRUE(second) << second.error();
  remove_socket_file(first->file);
  EXPECT_TRUE(can_connect(folder.file("s")));
  remove_socket_file(second->file);
  EXPECT_FALSE(std::filesystem::exists(folder.file("s")));
}

}  // namespace
}  // namespace hotkeyd
