// The files of `analyze`: read as they are needed, with progress on a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "analyze/byte_source.h"
#include "cli/daemon_connection.h"

namespace hotkeyd {

// "45% of 1,200 MB" on standard error, in place, five times a second; nothing where that is no terminal.
class AnalyzeProgress {
 public:
  AnalyzeProgress();
  ~AnalyzeProgress() { clear(); }
  AnalyzeProgress(const AnalyzeProgress&) = delete;
  AnalyzeProgress& operator=(const AnalyzeProgress&) = delete;

  // Bytes that will come; a pipe does not tell.
  void expect(std::uint64_t bytes) { expected_ += bytes; }
  void advance(std::uint64_t bytes);
  void clear();

 private:
  std::string text() const;

  bool is_shown_;
  bool is_dirty_ = false;
  std::uint64_t expected_ = 0;
  std::uint64_t done_ = 0;
  std::chrono::steady_clock::time_point next_{};
};

// One file, or standard input for "-". The progress must outlive it.
class AnalyzeFile final : public ByteSource {
 public:
  // The error names the file.
  static Result<AnalyzeFile> open(const std::string& name, AnalyzeProgress& progress);

  Result<std::size_t> read(std::span<char> buffer) override;

 private:
  AnalyzeFile(OwnedDescriptor file, AnalyzeProgress& progress)
      : file_(std::move(file)), progress_(&progress) {}

  OwnedDescriptor file_;
  AnalyzeProgress* progress_;
};

}  // namespace hotkeyd
