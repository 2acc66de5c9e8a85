#include "cli/default_endpoint.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace hotkeyd {
namespace {

constexpr char kSystemSocket[] = "/run/hotkeyd/hotkeyd.sock";

bool exists(const std::string& path) {
  std::error_code failure;
  return std::filesystem::exists(path, failure);
}

}  // namespace

std::string default_endpoint_url() {
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  if (exists(kSystemSocket) || runtime == nullptr || *runtime == '\0')
    return std::string("unix://") + kSystemSocket;
  const std::string own = std::string(runtime) + "/hotkeyd.sock";
  return "unix://" + (exists(own) ? own : std::string(kSystemSocket));
}

}  // namespace hotkeyd
