#include "server/http_connection.h"

#include <array>
#include <boost/asio/socket_base.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message_generator.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <optional>
#include <utility>

#include "io/timer.h"

namespace hotkeyd {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;
using Parser = http::request_parser<http::string_body>;

constexpr std::size_t kDrainedMax = 64 << 10;

int status_of(error_code error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow) return 431;
  return error == http::error::body_limit ? 413 : 400;
}

const char* reason_of(int status) {
  if (status == 431) return "the header is too large";
  return status == 413 ? "the body is too large" : "this is no HTTP request";
}

bool is_from_parser(error_code error) {
  return error.category() == make_error_code(http::error::bad_method).category() &&
         error != http::error::end_of_stream && error != http::error::partial_message;
}

template <typename Body>
void fill_header(http::response<Body>& message, const HttpResponse& response, bool keeps_alive) {
  message.set(http::field::content_type, response.content_type);
  message.set("Content-Security-Policy", "default-src 'none'");
  message.set("X-Content-Type-Options", "nosniff");
  message.set(http::field::cache_control, "no-store");
  if (!response.allow.empty()) message.set(http::field::allow, response.allow);
  message.keep_alive(keeps_alive);
  message.content_length(response.body.size());
}

http::message_generator to_message(HttpResponse response, bool has_body, bool keeps_alive) {
  const auto status = static_cast<http::status>(response.status);
  if (!has_body) {
    http::response<http::empty_body> message(status, 11);
    fill_header(message, response, keeps_alive);
    return message;
  }
  http::response<http::string_body> message(status, 11);
  fill_header(message, response, keeps_alive);
  message.body() = std::move(response.body);
  return message;
}

}  // namespace

class HttpConnection::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(asio::io_context& io, StreamSocket socket, const HttpOptions& options, const HttpHooks& hooks,
       HttpStats& stats, std::function<void()> closed)
      : io_(io),
        socket_(std::move(socket)),
        options_(options),
        hooks_(hooks),
        stats_(stats),
        closed_(std::move(closed)),
        timer_(io),
        buffer_(options.header_bytes_max + options.body_bytes_max) {}

  bool is_answering() const { return is_answering_; }

  void read_request() {
    is_answering_ = false;
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(options_.header_bytes_max));
    parser_->body_limit(options_.body_bytes_max);
    start_timer(options_.request_time_max, [this] { give_up(); });
    http::async_read(socket_, buffer_, *parser_,
                     [self = shared_from_this()](error_code error, std::size_t) { self->on_request(error); });
  }

  void close() {
    if (!socket_.is_open()) return;
    timer_.cancel();
    error_code ignored;
    socket_.close(ignored);
    asio::post(io_, [closed = std::exchange(closed_, nullptr)] {
      if (closed) closed();
    });
  }

  void forget_owner() { closed_ = nullptr; }

 private:
  // The handler may not keep the connection alive: the timer is part of it.
  template <typename Expired>
  void start_timer(Duration duration, Expired expired) {
    timer_.start(Clock::now() + duration, std::move(expired));
  }

  void give_up() {
    ++stats_.slow_clients;
    close();
  }

  void on_request(error_code error) {
    if (!socket_.is_open()) return;
    if (is_from_parser(error)) return refuse(status_of(error));
    if (error) return close();
    is_answering_ = true;
    const auto& message = parser_->get();
    has_body_ = message.method() != http::verb::head;
    keeps_alive_ = message.keep_alive();
    answer(make_http_request(std::string_view(message.method_string()), std::string_view(message.target())));
  }

  // An answer that comes after its time, or after the connection has closed, finds another number and is
  // dropped.
  void answer(const HttpRequest& request) {
    const std::uint64_t number = ++request_number_;
    start_timer(options_.request_time_max,
                [this] { respond(http_error(503, "the answer did not come in time")); });
    route_http(request, hooks_, [weak = weak_from_this(), number](HttpResponse response) {
      const auto self = weak.lock();
      if (self && self->request_number_ == number) self->respond(std::move(response));
    });
  }

  void refuse(int status) {
    is_answering_ = true;
    has_body_ = true;
    keeps_alive_ = false;
    respond(http_error(status, reason_of(status)));
  }

  void respond(HttpResponse response) {
    if (!socket_.is_open()) return;
    ++request_number_;
    ++stats_.responses[response.status];
    start_timer(options_.request_time_max, [this] { give_up(); });
    beast::async_write(
        socket_, to_message(std::move(response), has_body_, keeps_alive_),
        [self = shared_from_this()](error_code error, std::size_t) { self->on_responded(error); });
  }

  void on_responded(error_code error) {
    if (!socket_.is_open()) return;
    if (error) return close();
    keeps_alive_ ? wait_for_next() : drain();
  }

  void wait_for_next() {
    if (buffer_.size() > 0) return read_request();
    is_answering_ = false;
    start_timer(options_.idle_time_max, [this] { close(); });
    socket_.async_wait(asio::socket_base::wait_read, [self = shared_from_this()](error_code error) {
      if (error) return self->close();
      if (self->socket_.is_open()) self->read_request();
    });
  }

  // Closing while bytes are unread resets the connection, and the client may lose the response.
  void drain() {
    is_answering_ = false;
    error_code ignored;
    socket_.shutdown(asio::socket_base::shutdown_send, ignored);
    drain_more(0);
  }

  void drain_more(std::size_t drained) {
    if (drained > kDrainedMax) return close();
    socket_.async_read_some(asio::buffer(scrap_),
                            [self = shared_from_this(), drained](error_code error, std::size_t size) {
                              error ? self->close() : self->drain_more(drained + size);
                            });
  }

  asio::io_context& io_;
  StreamSocket socket_;
  const HttpOptions& options_;
  const HttpHooks& hooks_;
  HttpStats& stats_;
  std::function<void()> closed_;
  Timer timer_;
  beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  std::array<char, 4096> scrap_{};
  std::uint64_t request_number_ = 0;
  bool is_answering_ = false;
  bool has_body_ = true;
  bool keeps_alive_ = true;
};

HttpConnection::HttpConnection(asio::io_context& io, StreamSocket socket, const HttpOptions& options,
                               const HttpHooks& hooks, HttpStats& stats, std::function<void()> closed)
    : impl_(std::make_shared<Impl>(io, std::move(socket), options, hooks, stats, std::move(closed))) {}

HttpConnection::~HttpConnection() {
  impl_->forget_owner();
  impl_->close();
}

void HttpConnection::start() { impl_->read_request(); }
bool HttpConnection::is_answering() const { return impl_->is_answering(); }
void HttpConnection::close() { impl_->close(); }

}  // namespace hotkeyd
