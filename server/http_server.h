// The HTTP port: metrics, health and readiness, for scrapers, load balancers and people.
//
// At most `clients_max` connections: at the limit the oldest that is not being answered makes room for the
// newcomer, so that half-open connections cannot keep a scrape out; where all are being answered the newcomer
// is closed. Without `listen` nothing is bound. Control thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "io/asio.h"
#include "io/listener.h"
#include "server/http_connection.h"
#include "server/http_routes.h"
#include "server/http_stats.h"
#include "server/options.h"

namespace hotkeyd {

// "http://127.0.0.1:7421", with the port that was bound.
std::string http_url(const Listener& listener);

class HttpServer {
 public:
  // `io` must outlive the server.
  HttpServer(asio::io_context& io, const HttpOptions& options, HttpHooks hooks);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Binds and begins to accept; the error names the address.
  Result<void> listen();
  // As a URL; nullopt where nothing is bound.
  std::optional<std::string> bound_address() const;
  // A reload: binds another address without touching the running one (null for none) ...
  Result<std::unique_ptr<Listener>> open(const std::optional<Endpoint>& listen);
  // ... and takes its place; connections stay.
  void change_listener(const std::optional<Endpoint>& listen, std::unique_ptr<Listener> opened);
  // Closes the port and every connection.
  void stop();

  std::size_t connections() const { return connections_.size(); }
  HttpStats stats() const;

 private:
  void accept(StreamSocket socket);
  bool make_room();

  asio::io_context& io_;
  HttpOptions options_;
  HttpHooks hooks_;
  HttpStats stats_;
  std::unique_ptr<Listener> listener_;
  std::map<std::uint64_t, std::unique_ptr<HttpConnection>> connections_;  // By number: the oldest first.
  std::uint64_t accepted_ = 0;
  std::shared_ptr<bool> is_alive_ = std::make_shared<bool>(true);  // Told to handlers that come back later.
};

}  // namespace hotkeyd
