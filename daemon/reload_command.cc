#include "daemon/reload_command.h"

#include <utility>

namespace hotkeyd {

void ReloadCommand::ask(DeferredReply reply) {
  const std::uint64_t id = ++last_id_;
  waiting_.emplace(id, std::move(reply));
  asio::post(control_, [this, id] {
    reloader_.request([this, id](const Result<void>& outcome) {
      asio::post(data_, [this, id, outcome] { answer(id, outcome); });
    });
  });
}

void ReloadCommand::answer(std::uint64_t id, const Result<void>& outcome) {
  auto reply = std::move(waiting_.extract(id).mapped());
  outcome ? reply.ok() : reply.error("ERR " + outcome.error());
}

}  // namespace hotkeyd
