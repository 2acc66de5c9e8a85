#include "base/read_file.h"

#include <cerrno>
#include <fstream>
#include <system_error>

namespace hotkeyd {
namespace {

Error last_error() { return {std::generic_category().message(errno)}; }

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t bytes_max) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return last_error();
  std::string text(bytes_max, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || (file.fail() && !file.eof())) return last_error();
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

}  // namespace hotkeyd
