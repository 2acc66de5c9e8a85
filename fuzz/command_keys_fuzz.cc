// A command of any bytes, one argument a line: keys are arguments, few, and the same for every size of
// buffer.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "resp/command_table.h"

namespace {

using hotkeyd::KeyArgument;

void require(bool claim) {
  if (!claim) std::abort();
}

std::vector<std::string_view> split(std::string_view input) {
  std::vector<std::string_view> arguments;
  while (!input.empty()) {
    const std::string_view argument = input.substr(0, input.find('\n'));
    arguments.push_back(argument);
    input.remove_prefix(std::min(argument.size() + 1, input.size()));
  }
  return arguments;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto arguments = split({reinterpret_cast<const char*>(bytes), size});
  std::vector<KeyArgument> keys(hotkeyd::keys_of(arguments, {}));
  require(keys.size() <= 2 * arguments.size());
  require(hotkeyd::keys_of(arguments, keys) == keys.size());
  for (const KeyArgument& key : keys) {
    require(key.index > 0 && key.index < arguments.size());
    require(key.value == 0 || (key.value > key.index && key.value < arguments.size()));
  }
  std::vector<KeyArgument> first(keys.size() / 2);
  require(hotkeyd::keys_of(arguments, first) == keys.size());
  require(std::equal(first.begin(), first.end(), keys.begin()));
  require(keys.empty() || hotkeyd::is_plausible_command(arguments));
  return 0;
}
