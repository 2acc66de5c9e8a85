#include "io/file_descriptor.h"

#include <unistd.h>

#include <system_error>

namespace hotkeyd {

FileDescriptor::~FileDescriptor() {
  if (is_open()) ::close(number_);
}

std::string system_error_text(int number) { return std::generic_category().message(number); }

}  // namespace hotkeyd
