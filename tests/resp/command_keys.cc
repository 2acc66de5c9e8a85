// Reads commands from standard input, a JSON array of arguments a line, and prints the keys that the command
// table finds in each: [[index, "read" or "write"], ...]. For tests/integration/command_table_test.py.
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "resp/command_table.h"

namespace {

nlohmann::json keys(const std::vector<std::string>& strings) {
  const std::vector<std::string_view> arguments(strings.begin(), strings.end());
  std::vector<hotkeyd::KeyArgument> found(hotkeyd::keys_of(arguments, {}));
  hotkeyd::keys_of(arguments, found);
  nlohmann::json out = nlohmann::json::array();
  for (const auto& key : found)
    out.push_back({key.index, key.use == hotkeyd::KeyUse::read ? "read" : "write"});
  return out;
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << keys(nlohmann::json::parse(line).get<std::vector<std::string>>()) << '\n';
  }
  return 0;
}
