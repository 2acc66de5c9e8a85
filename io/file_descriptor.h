// A file descriptor that closes itself, and the text of a system error. One owner; any thread.
#pragma once

#include <string>
#include <utility>

namespace hotkeyd {

class FileDescriptor {
 public:
  explicit FileDescriptor(int number = -1) : number_(number) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

// "Permission denied", of errno or the number given. Safe in any thread.
std::string system_error_text(int number);

}  // namespace hotkeyd
