// Binds a TCP port: a numeric address or a name that resolves to one, port 0 for a free one. Start-up only: a
// name is resolved by waiting.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace hotkeyd {

struct TcpListening {
  FileDescriptor descriptor;  // Listening, non-blocking.
  std::uint16_t port = 0;     // The bound one.
};

// Errors are reasons without the address: "Address already in use".
Result<TcpListening> listen_tcp(const std::string& host, std::uint16_t port);

}  // namespace hotkeyd
