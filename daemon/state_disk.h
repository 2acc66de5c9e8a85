// The state file on its disk: read whole, replaced whole, set aside.
//
// A replaced file is either the old one or the new one, also after a power cut: written beside it, fsync,
// rename, fsync of the folder. Only its owner may read it (0600): it holds keys. `replace` may block for as
// long as the disk does, so it runs on a thread of its own. Errors name the path and the cause.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace hotkeyd {

class StateDisk {
 public:
  static constexpr std::size_t kSizeMax = std::size_t{1} << 30;  // A larger file is none of ours.
  static constexpr std::size_t kSetAsideMax = 5;                 // Beyond: the oldest goes.

  virtual ~StateDisk() = default;
  // Makes this process the only one that uses the path, until it ends ("<path>.lock"). The error: another one
  // does. Where the lock cannot be made at all nothing is claimed, and saving will say why.
  virtual Result<void> claim() = 0;
  // nullopt: there is none yet.
  virtual Result<std::optional<std::string>> read() = 0;
  // Something that is no regular file is an error and stays; a symbolic link is followed.
  virtual Result<void> replace(std::string_view bytes) = 0;
  // Renames a file that cannot be used, so that a person can look at it: "<path>.damaged-<now_ms>", which is
  // returned. Something that is no regular file stays.
  virtual Result<std::string> set_aside(UnixMs now_ms) = 0;
};

std::unique_ptr<StateDisk> open_state_disk(const std::string& path);

}  // namespace hotkeyd
