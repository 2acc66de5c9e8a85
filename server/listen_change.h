// The change of the RESP listeners that a reload asks for: opened whole, or not at all.
//
// A listener is kept by its address; where only mode or group differ, its socket file gets the new ones. An
// address that a removed listener holds cannot be bound anew in the same reload. `open` waits (names are
// resolved, folders locked): it is called on the control thread, `RespServer::change_listeners` on the data
// thread.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/listener.h"
#include "server/options.h"

namespace hotkeyd {

struct ListenChange {
  struct Place {
    std::optional<std::size_t> kept;   // Index of a running listener, or
    std::unique_ptr<Listener> opened;  // a new one, bound, not yet started.
  };
  std::vector<Place> places;  // In the order wanted; running listeners without a place stop.

  // On an error everything is as before. `io`: the server's.
  static Result<ListenChange> open(asio::io_context& io, const std::vector<ListenOptions>& running,
                                   const std::vector<ListenOptions>& wanted);
  std::vector<std::string> opened_addresses() const;
};

}  // namespace hotkeyd
