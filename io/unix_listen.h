// Binds a unix socket so that nobody can come in too early and no other daemon is harmed.
//
// Mode and group are set between bind and listen: until then a connect is refused. A socket file that nobody
// serves any more (its process was killed) is replaced; one that is served, or a file that is no socket, is
// left alone and named in the error. A lock on the folder keeps two starting daemons from replacing each
// other's file. Start-up only: may wait up to a second for the lock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace hotkeyd {

struct UnixListenOptions {
  std::string path;
  std::uint32_t mode = 0660;
  std::optional<std::string> group;  // A name or a number.
};

// The file that `bind` made: it is removed at the end only while it is still the same one.
struct SocketFile {
  std::string path;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

struct UnixListening {
  FileDescriptor descriptor;  // Listening, non-blocking.
  SocketFile file;
};

// Errors are reasons without the path: "another process serves this socket".
Result<UnixListening> listen_unix(const UnixListenOptions& options);
void remove_socket_file(const SocketFile& file);
// Gives an existing socket file its mode and group: what `listen_unix` does to a new one.
Result<void> protect_socket(const UnixListenOptions& options);

}  // namespace hotkeyd
