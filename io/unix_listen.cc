#include "io/unix_listen.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "base/text.h"
#include "io/listen_backlog.h"

namespace hotkeyd {
namespace {

Error last_error(const std::string& what) { return {what + ": " + system_error_text(errno)}; }

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

int call_with_address(int (*call)(int, const sockaddr*, socklen_t), int descriptor, const std::string& path) {
  const sockaddr_un address = address_of(path);
  return call(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
}

FileDescriptor new_socket() {
  return FileDescriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

// Held until closed. Not to get it is no error: the lock only narrows a race.
FileDescriptor lock_folder(const std::string& path) {
  const auto slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
  FileDescriptor lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (int tries = 0; lock.is_open() && tries < 50; ++tries) {
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) break;
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  }
  return lock;
}

// Removes a socket file that nobody serves.
Result<void> clear_stale(const std::string& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) return errno == ENOENT ? Result<void>{} : last_error("cannot look");
  if (!S_ISSOCK(found.st_mode)) return Error{"a file that is not a socket is in the way"};
  const FileDescriptor probe = new_socket();
  if (!probe.is_open()) return last_error("no socket");
  const bool served = call_with_address(::connect, probe.get(), path) == 0;
  if (served || errno == EAGAIN) return Error{"another process serves this socket"};
  if (errno == ENOENT) return {};
  if (errno != ECONNREFUSED) return last_error("cannot tell whether another process serves this socket");
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return last_error("cannot replace the stale socket");
  return {};
}

Result<gid_t> find_group(const std::string& name) {
  if (const auto number = parse_unsigned(name)) return static_cast<gid_t>(*number);
  std::vector<char> buffer(16 * 1024);
  struct group entry {};
  struct group* found = nullptr;
  ::getgrnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found);
  if (found == nullptr) return Error{"no such group: " + redis_escape(name)};
  return found->gr_gid;
}

SocketFile identify(const std::string& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) return {};
  return {path, found.st_dev, found.st_ino};
}

Result<void> protect_and_listen(const UnixListenOptions& options, int descriptor) {
  if (auto done = protect_socket(options); !done) return done;
  if (::listen(descriptor, kListenBacklog) != 0) return last_error("cannot listen");
  return {};
}

Error bind_error() {
  if (errno == ENOENT) return {"cannot bind: its folder does not exist: make it, or name another path"};
  if (errno == EACCES)
    return {"cannot bind: this user may not write to its folder: run as another, or name another path"};
  return last_error("cannot bind");
}

}  // namespace

Result<UnixListening> listen_unix(const UnixListenOptions& options) {
  if (options.path.size() >= sizeof(sockaddr_un::sun_path)) return Error{"the path is longer than 107 bytes"};
  const FileDescriptor lock = lock_folder(options.path);
  if (auto cleared = clear_stale(options.path); !cleared) return Error{cleared.error()};

  UnixListening out{new_socket(), {}};
  if (!out.descriptor.is_open()) return last_error("no socket");
  ::fchmod(out.descriptor.get(), 0600);
  if (call_with_address(::bind, out.descriptor.get(), options.path) != 0) return bind_error();
  out.file = identify(options.path);
  if (auto done = protect_and_listen(options, out.descriptor.get()); !done) {
    remove_socket_file(out.file);
    return Error{done.error()};
  }
  return out;
}

Result<void> protect_socket(const UnixListenOptions& options) {
  if (options.group) {
    const auto group = find_group(*options.group);
    if (!group) return Error{group.error()};
    if (::chown(options.path.c_str(), static_cast<uid_t>(-1), *group) != 0)
      return last_error("cannot set the group");
  }
  if (::chmod(options.path.c_str(), options.mode) != 0) return last_error("cannot set the mode");
  return {};
}

void remove_socket_file(const SocketFile& file) {
  const SocketFile found = identify(file.path);
  if (file.inode != 0 && found.inode == file.inode && found.device == file.device)
    ::unlink(file.path.c_str());
}

}  // namespace hotkeyd
