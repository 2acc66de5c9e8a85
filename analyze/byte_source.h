// Where a recording's bytes come from: a file, standard input, or a string in tests.
#pragma once

#include <cstddef>
#include <span>

#include "base/result.h"

namespace hotkeyd {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills the front of `buffer`; 0 at the end. The error is the cause, without the file's name.
  virtual Result<std::size_t> read(std::span<char> buffer) = 0;
};

}  // namespace hotkeyd
