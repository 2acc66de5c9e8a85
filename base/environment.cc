#include "base/environment.h"

#include <unistd.h>

#include <string_view>

namespace hotkeyd {

std::map<std::string, std::string> read_environment() {
  std::map<std::string, std::string> out;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) out.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return out;
}

}  // namespace hotkeyd
