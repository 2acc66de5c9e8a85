#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "metrics/stats.h"

namespace hotkeyd {
namespace {

std::size_t count_open_fds() {
  std::error_code ignored;
  const std::filesystem::directory_iterator all("/proc/self/fd", ignored);
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

// The fields of /proc/self/stat that follow the program's name, which may hold blanks itself.
std::istringstream stat_after_name() {
  std::ifstream file("/proc/self/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  return std::istringstream(name_end == std::string::npos ? "" : line.substr(name_end + 1));
}

template <typename T>
T skip_and_read(std::istringstream& fields, int skipped) {
  std::string ignored;
  for (int i = 0; i < skipped; ++i) fields >> ignored;
  T value{};
  fields >> value;
  return value;
}

}  // namespace

ProcessStats read_process_stats() {
  ProcessStats stats;
  std::istringstream fields = stat_after_name();
  const auto user_ticks = skip_and_read<double>(fields, 11);
  const auto system_ticks = skip_and_read<double>(fields, 0);
  stats.cpu_seconds = (user_ticks + system_ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
  stats.threads = skip_and_read<std::size_t>(fields, 4);
  stats.virtual_bytes = skip_and_read<std::uint64_t>(fields, 2);
  stats.resident_bytes =
      skip_and_read<std::uint64_t>(fields, 0) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  stats.open_fds = count_open_fds();
  return stats;
}

}  // namespace hotkeyd
