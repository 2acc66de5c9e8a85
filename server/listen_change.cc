#include "server/listen_change.h"

#include <utility>

#include "base/match_kept.h"
#include "io/unix_listen.h"

namespace hotkeyd {
namespace {

Result<void> protect(const ListenOptions& listen) {
  auto done = protect_socket({listen.endpoint.path, listen.mode, listen.group});
  if (done) return done;
  return Error{listen.endpoint.redacted() + ": " + done.error()};
}

// Sets mode and group of kept sockets; where one fails those before it get back what they had.
class Protections {
 public:
  Result<void> change(const ListenOptions& before, const ListenOptions& after) {
    if (before == after) return {};
    undo_.push_back(&before);
    return protect(after);
  }
  void undo() const {
    for (const ListenOptions* before : undo_) static_cast<void>(protect(*before));
  }

 private:
  std::vector<const ListenOptions*> undo_;
};

}  // namespace

Result<ListenChange> ListenChange::open(asio::io_context& io, const std::vector<ListenOptions>& running,
                                        const std::vector<ListenOptions>& wanted) {
  const auto kept = match_kept(running, wanted, [](const ListenOptions& a, const ListenOptions& b) {
    return a.endpoint == b.endpoint;
  });
  ListenChange change;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Place place{kept[i], nullptr};
    if (!kept[i]) {
      auto opened = Listener::open(io, {wanted[i].endpoint, wanted[i].mode, wanted[i].group});
      if (!opened) return Error{opened.error()};
      place.opened = std::move(*opened);
    }
    change.places.push_back(std::move(place));
  }
  Protections protections;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!kept[i]) continue;
    if (auto done = protections.change(running[*kept[i]], wanted[i]); !done) {
      protections.undo();
      return Error{done.error()};
    }
  }
  return change;
}

std::vector<std::string> ListenChange::opened_addresses() const {
  std::vector<std::string> out;
  for (const Place& place : places) {
    if (place.opened) out.push_back(place.opened->address());
  }
  return out;
}

}  // namespace hotkeyd
