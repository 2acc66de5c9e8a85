#include "server/http_server.h"

#include <algorithm>
#include <utility>

namespace hotkeyd {

HttpServer::HttpServer(asio::io_context& io, const HttpOptions& options, HttpHooks hooks)
    : io_(io), options_(options), hooks_(std::move(hooks)) {}

HttpServer::~HttpServer() { stop(); }

Result<void> HttpServer::listen() {
  if (!options_.listen) return {};
  ListenerOptions listener_options;
  listener_options.endpoint = *options_.listen;
  auto listener = Listener::open(io_, listener_options);
  if (!listener) return Error{"http " + listener.error()};
  listener_ = std::move(*listener);
  listener_->start([this](StreamSocket socket) { accept(std::move(socket)); });
  return {};
}

std::optional<std::string> HttpServer::bound_address() const {
  if (!listener_) return std::nullopt;
  const std::string address = listener_->address();
  return "http" + address.substr(address.find("://"));
}

void HttpServer::stop() {
  *is_alive_ = false;
  if (listener_) listener_->stop();
  connections_.clear();
}

HttpStats HttpServer::stats() const {
  HttpStats stats = stats_;
  stats.clients = connections_.size();
  stats.accept_errors = listener_ ? listener_->accept_errors() : 0;
  return stats;
}

void HttpServer::accept(StreamSocket socket) {
  if (connections_.size() >= options_.clients_max && !make_room()) return;
  const std::uint64_t number = ++accepted_;
  const auto closed = [this, number, is_alive = is_alive_] {
    if (*is_alive) connections_.erase(number);
  };
  auto connection =
      std::make_unique<HttpConnection>(io_, std::move(socket), options_, hooks_, stats_, closed);
  connections_.emplace(number, std::move(connection)).first->second->start();
}

bool HttpServer::make_room() {
  ++stats_.cut_clients;
  const auto oldest = std::find_if(connections_.begin(), connections_.end(),
                                   [](const auto& entry) { return !entry.second->is_answering(); });
  if (oldest == connections_.end()) return false;
  connections_.erase(oldest);
  return true;
}

}  // namespace hotkeyd
