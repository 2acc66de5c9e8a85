#include "daemon/state_disk.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/text.h"
#include "io/file_descriptor.h"

namespace hotkeyd {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAside = ".damaged-";

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// False: `errno` says why. A file that grows meanwhile is cut at its first size.
bool read_all(int fd, std::string& out) {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t size = ::read(fd, out.data() + done, out.size() - done);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return false;
    if (size == 0) break;
    done += static_cast<std::size_t>(size);
  }
  out.resize(done);
  return true;
}

// What was set aside before, the oldest first.
std::vector<fs::path> set_aside_before(const fs::path& path) {
  const std::string prefix = path.filename().string() + std::string(kAside);
  std::vector<std::pair<std::uint64_t, fs::path>> found;
  std::error_code error;
  for (fs::directory_iterator entry(path.parent_path(), error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(prefix)) continue;
    if (const auto at = parse_unsigned(name.substr(prefix.size()))) found.emplace_back(*at, entry->path());
  }
  std::ranges::sort(found);
  std::vector<fs::path> paths;
  paths.reserve(found.size());
  for (auto& [at, found_path] : found) paths.push_back(std::move(found_path));
  return paths;
}

// Where the links lead, so that what is replaced is the file and not the link to it.
std::string followed(fs::path path) {
  constexpr int kLinksMax = 40;  // As the kernel follows.
  std::error_code error;
  for (int links = 0; links < kLinksMax && fs::is_symlink(path, error); ++links)
    path = path.parent_path() / fs::read_symlink(path, error);
  return path.string();
}

class StateFile final : public StateDisk {
 public:
  explicit StateFile(const std::string& path) : path_(followed(path)), beside_(path_ + ".new") {}

  Result<void> claim() override {
    lock_ =
        FileDescriptor(::open((path_ + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!lock_.is_open()) return {};
    if (::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return {};
    return Error{path_ + ": another process keeps its state there; give each daemon a path of its own"};
  }

  Result<std::optional<std::string>> read() override {
    const FileDescriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file.is_open() && errno == ENOENT) return std::optional<std::string>();
    struct stat found {};
    if (!file.is_open() || ::fstat(file.get(), &found) != 0) return failed("cannot be read");
    if (!S_ISREG(found.st_mode)) return Error{path_ + " is not a regular file"};
    if (static_cast<std::size_t>(found.st_size) > kSizeMax) return Error{path_ + " is larger than 1 GiB"};
    std::string bytes(static_cast<std::size_t>(found.st_size), '\0');
    if (!read_all(file.get(), bytes)) return failed("cannot be read");
    return std::optional(std::move(bytes));
  }

  Result<void> replace(std::string_view bytes) override {
    struct stat found {};
    if (::lstat(path_.c_str(), &found) == 0 && !S_ISREG(found.st_mode))
      return Error{path_ + " cannot be replaced: it is not a regular file"};
    auto replaced = write_beside(bytes);
    if (replaced && ::rename(beside_.c_str(), path_.c_str()) != 0) replaced = failed("cannot be replaced");
    if (!replaced) ::unlink(beside_.c_str());
    return replaced ? sync_folder() : replaced;
  }

  Result<std::string> set_aside(UnixMs now_ms) override {
    struct stat found {};
    if (::lstat(path_.c_str(), &found) != 0) return failed("cannot be set aside");
    if (!S_ISREG(found.st_mode)) return Error{path_ + " is not a regular file"};
    std::vector<fs::path> before = set_aside_before(path_);
    std::string target;
    do {
      target = path_ + std::string(kAside) + std::to_string(now_ms++);
    } while (std::ranges::find(before, fs::path(target)) != before.end());
    if (::rename(path_.c_str(), target.c_str()) != 0) return failed("cannot be set aside");
    for (std::size_t i = 0; i + kSetAsideMax <= before.size(); ++i) ::unlink(before[i].c_str());
    return target;
  }

 private:
  Error failed(std::string_view what) const {
    const int cause = errno;
    const bool no_folder = cause == ENOENT && !fs::exists(folder());
    if (no_folder) return Error{path_ + ": the folder does not exist"};
    return Error{path_ + " " + std::string(what) + ": " + system_error_text(cause)};
  }

  std::string folder() const { return fs::path(path_).parent_path().string(); }

  Result<void> write_beside(std::string_view bytes) const {
    FileDescriptor file(::open(beside_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    const bool is_written = file.is_open() && ::fchmod(file.get(), 0600) == 0 &&
                            write_all(file.get(), bytes) && ::fsync(file.get()) == 0 &&
                            ::close(file.release()) == 0;
    if (!is_written) return failed("cannot be written");
    return {};
  }

  Result<void> sync_folder() const {
    const FileDescriptor opened(::open(folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened.is_open() || ::fsync(opened.get()) != 0) return failed("is written, but its folder is not");
    return {};
  }

  const std::string path_;
  const std::string beside_;
  FileDescriptor lock_;
};

}  // namespace

std::unique_ptr<StateDisk> open_state_disk(const std::string& path) {
  return std::make_unique<StateFile>(path);
}

}  // namespace hotkeyd
