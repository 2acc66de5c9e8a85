#include "cli/analyze_input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <utility>

#include "base/text.h"
#include "cli/format.h"

namespace hotkeyd {
namespace {

constexpr std::chrono::milliseconds kProgressEvery{200};

}  // namespace

AnalyzeProgress::AnalyzeProgress() : is_shown_(isatty(STDERR_FILENO) == 1) {}

void AnalyzeProgress::advance(std::uint64_t bytes) {
  done_ += bytes;
  if (!is_shown_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kProgressEvery;
  is_dirty_ = true;
  std::cerr << "\r\x1b[K" << text() << std::flush;
}

std::string AnalyzeProgress::text() const {
  constexpr std::uint64_t kMegabyte = 1'000'000;
  if (expected_ < done_) return with_separators(done_ / kMegabyte) + " MB read";
  const std::uint64_t percent = done_ * 100 / std::max<std::uint64_t>(expected_, 1);
  return std::to_string(percent) + "% of " + with_separators(expected_ / kMegabyte) + " MB";
}

void AnalyzeProgress::clear() {
  if (std::exchange(is_dirty_, false)) std::cerr << "\r\x1b[K" << std::flush;
}

Result<AnalyzeFile> AnalyzeFile::open(const std::string& name, AnalyzeProgress& progress) {
  OwnedDescriptor file(name == "-" ? dup(STDIN_FILENO) : ::open(name.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) return Error{redis_escape(name) + ": cannot be read: " + std::strerror(errno)};
  struct stat facts {};
  const bool is_file = fstat(file.number(), &facts) == 0 && S_ISREG(facts.st_mode);
  if (is_file) progress.expect(static_cast<std::uint64_t>(facts.st_size));
  return AnalyzeFile(std::move(file), progress);
}

Result<std::size_t> AnalyzeFile::read(std::span<char> buffer) {
  ssize_t size = -1;
  do {
    size = ::read(file_.number(), buffer.data(), buffer.size());
  } while (size < 0 && errno == EINTR);
  if (size < 0) return Error{std::string("cannot be read: ") + std::strerror(errno)};
  progress_->advance(static_cast<std::uint64_t>(size));
  return static_cast<std::size_t>(size);
}

}  // namespace hotkeyd
