#include "server/http_server.h"

#include <algorithm>
#include <utility>

namespace hotkeyd {

std::string http_url(const Listener& listener) {
  const std::string address = listener.address();
  return "http" + address.substr(address.find("://"));
}

HttpServer::HttpServer(asio::io_context& io, const HttpOptions& options, HttpHooks hooks)
    : io_(io), options_(options), hooks_(std::move(hooks)) {}

HttpServer::~HttpServer() { stop(); }

Result<void> HttpServer::listen() {
  auto opened = open(options_.listen);
  if (!opened) return Error{opened.error()};
  change_listener(options_.listen, std::move(*opened));
  return {};
}

Result<std::unique_ptr<Listener>> HttpServer::open(const std::optional<Endpoint>& listen) {
  if (!listen) return std::unique_ptr<Listener>();
  ListenerOptions listener_options;
  listener_options.endpoint = *listen;
  auto listener = Listener::open(io_, listener_options);
  if (!listener) return Error{"http " + listener.error()};
  return listener;
}

void HttpServer::change_listener(const std::optional<Endpoint>& listen, std::unique_ptr<Listener> opened) {
  if (listener_) stats_.accept_errors += listener_->accept_errors();
  options_.listen = listen;
  listener_ = std::move(opened);
  if (listener_) listener_->start([this](StreamSocket socket) { accept(std::move(socket)); });
}

std::optional<std::string> HttpServer::bound_address() const {
  return listener_ ? std::optional(http_url(*listener_)) : std::nullopt;
}

void HttpServer::stop() {
  *is_alive_ = false;
  if (listener_) listener_->stop();
  connections_.clear();
}

HttpStats HttpServer::stats() const {
  HttpStats stats = stats_;
  stats.clients = connections_.size();
  if (listener_) stats.accept_errors += listener_->accept_errors();
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
