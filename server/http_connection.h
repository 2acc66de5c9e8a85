// One connection to the HTTP port: reads a request, answers it, waits for the next.
//
// The door to Boost.Beast, which parses; limits on header, body and time are ours. A malformed request is
// answered with an error and the connection closes. Whoever sends nothing, or slowly, is closed when its time
// is up; who is waiting for an answer that does not come gets 503. Control thread.
#pragma once

#include <functional>
#include <memory>

#include "io/asio.h"
#include "server/http_routes.h"
#include "server/http_stats.h"
#include "server/options.h"

namespace hotkeyd {

class HttpConnection {
 public:
  // The references must outlive the connection. `closed` is called once, from a later turn of the loop.
  HttpConnection(asio::io_context& io, StreamSocket socket, const HttpOptions& options,
                 const HttpHooks& hooks, HttpStats& stats, std::function<void()> closed);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  void start();
  // Whether a whole request was read and is being answered.
  bool is_answering() const;
  // Closes at once.
  void close();

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;  // Shared with the handlers that wait in the loop.
};

}  // namespace hotkeyd
