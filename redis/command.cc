#include "redis/command.h"

#include <hiredis/hiredis.h>

#include <cassert>
#include <new>

namespace hotkeyd {

void append_redis_command(std::string& out, const RedisCommand& command) {
  assert(!command.empty());
  std::vector<const char*> arguments;
  std::vector<std::size_t> sizes;
  for (const std::string& argument : command) {
    arguments.push_back(argument.data());
    sizes.push_back(argument.size());
  }
  sds text = nullptr;
  const int size =
      redisFormatSdsCommandArgv(&text, static_cast<int>(command.size()), arguments.data(), sizes.data());
  if (size < 0) throw std::bad_alloc();
  out.append(text, static_cast<std::size_t>(size));
  redisFreeSdsCommand(text);
}

}  // namespace hotkeyd
