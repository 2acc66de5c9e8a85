#include "cli/argument_guard.h"

#include <cstddef>

namespace hotkeyd {
namespace {

constexpr char kGuard = '\x01';
constexpr std::string_view kGuarded = "[{%\x01";

std::string guard(std::string_view argument) {
  const bool is_guarded = !argument.empty() && kGuarded.find(argument.front()) != std::string_view::npos;
  return (is_guarded ? std::string(1, kGuard) : std::string()).append(argument);
}

}  // namespace

std::vector<std::string> guarded_arguments(int argc, const char* const* argv) {
  std::vector<std::string> arguments;
  arguments.reserve(static_cast<std::size_t>(argc));
  for (int i = argc - 1; i > 0; --i) arguments.push_back(guard(argv[i]));
  return arguments;
}

std::string unguard_argument(std::string_view argument) {
  if (argument.starts_with(kGuard)) argument.remove_prefix(1);
  return std::string(argument);
}

}  // namespace hotkeyd
