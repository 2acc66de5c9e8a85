// A small file as a whole, whatever it is: a pipe too. Any thread; waits for who writes the pipe.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace hotkeyd {

// At most `bytes_max` of it: ask for one byte more than you take, to see that it is too long. Errors are
// reasons without the path: "No such file or directory".
Result<std::string> read_file(const std::string& path, std::size_t bytes_max);

}  // namespace hotkeyd
