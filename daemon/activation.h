// Sockets that listen before the daemon runs: systemd's socket activation (hotkeyd.socket).
//
// Whoever connects while the daemon starts or restarts waits in the socket and is answered. A passed socket
// takes the place of the listener with the same address in `listen`; its file, mode and group stay the
// service manager's. One that fits no listener is an error, since its clients would wait for ever. Control
// thread, before another runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/endpoint.h"
#include "base/result.h"
#include "io/file_descriptor.h"
#include "server/options.h"

namespace hotkeyd {

struct PassedSocket {
  std::string name;                 // FileDescriptorName= of its unit; the default is the unit itself.
  std::optional<Endpoint> address;  // nullopt: not a stream socket that listens.
  FileDescriptor descriptor;
};

// For each listener the socket that takes its place; a closed one where none was passed. Pure.
Result<std::vector<FileDescriptor>> place_passed(std::vector<PassedSocket> passed,
                                                 const std::vector<ListenOptions>& listen);

// Takes what the service manager passed, once: it closes on exec, and the environment names it no more.
Result<std::vector<PassedSocket>> take_passed_sockets();

}  // namespace hotkeyd
