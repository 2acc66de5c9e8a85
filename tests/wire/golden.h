// The bytes of a file of tests/wire/golden.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/source_dir.h"

namespace hotkeyd {

inline std::string golden(const std::string& name) {
  std::ifstream file(std::string(HOTKEYD_SOURCE_DIR) + "/tests/wire/golden/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace hotkeyd
