// Bytes of a Redis server in, whole replies out: hiredis' reader behind caps, with our own reply values.
//
// Only the codec of hiredis is used (see ReplyGuard for why it stands behind caps). Feed what arrived, take
// whole replies; after an error the stream is broken for good. No I/O; one thread.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "redis/reply.h"
#include "redis/reply_guard.h"

namespace hotkeyd {

class ReplyReader {
 public:
  explicit ReplyReader(ReplyCaps caps = {});
  ~ReplyReader();
  ReplyReader(const ReplyReader&) = delete;
  ReplyReader& operator=(const ReplyReader&) = delete;

  Result<void> feed(std::string_view bytes);
  // The next whole reply; nullopt when more bytes are needed.
  Result<std::optional<RedisReply>> next();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hotkeyd
