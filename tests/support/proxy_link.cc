#include "tests/support/proxy_link.h"

#include <sys/socket.h>

#include <algorithm>
#include <utility>

namespace hotkeyd::testing {
namespace {

void close(StreamSocket& socket, CutBy by) {
  error_code ignored;
  if (by == CutBy::reset) socket.set_option(asio::socket_base::linger(true, 0), ignored);
  socket.close(ignored);
}

}  // namespace

ProxyLink::ProxyLink(StreamSocket client, Shared& shared, FaultProxy::Tap tap)
    : io_(static_cast<asio::io_context&>(client.get_executor().context())),
      shared_(shared),
      tap_(std::move(tap)),
      client_(std::move(client)),
      server_(io_),
      up_(Way::up, client_, server_, shared.faults.up, io_),
      down_(Way::down, server_, client_, shared.faults.down, io_) {}

void ProxyLink::connect(const asio::generic::stream_protocol::endpoint& server) {
  server_.async_connect(server, [self = shared_from_this()](error_code error) {
    if (self->has_ended_) return;
    if (error) return self->end();
    self->is_connected_ = true;
    self->step();
  });
}

void ProxyLink::step() {
  if (!is_connected_) return;
  step(up_);
  step(down_);
}

void ProxyLink::step(Pipe& pipe) {
  if (has_ended_ || pipe.is_busy) return;
  if (pipe.discards) pipe.begin = pipe.end;
  if (pipe.faults.is_stalled && !pipe.discards) return;
  if (pipe.begin == pipe.end) return read(pipe);
  if (cut_if_due(pipe)) return;
  const Time release_at = pipe.read_at + pipe.faults.delay;
  if (Clock::now() >= release_at) return write(pipe);
  pipe.hold.start(release_at, [this, &pipe] { step(pipe); });
}

void ProxyLink::read(Pipe& pipe) {
  if (pipe.is_ended) return;
  pipe.is_busy = true;
  pipe.from.async_read_some(asio::buffer(pipe.buffer),
                            [self = shared_from_this(), &pipe](error_code error, std::size_t size) {
                              self->on_read(pipe, error, size);
                            });
}

void ProxyLink::on_read(Pipe& pipe, error_code error, std::size_t size) {
  pipe.is_busy = false;
  if (has_ended_ || pipe.is_ended) return;
  if (error) return on_source_end(pipe);
  pipe.begin = pipe.told = 0;
  pipe.end = size;
  pipe.read_at = Clock::now();
  if (pipe.way == Way::down && tap_) tap_(Way::down, {pipe.buffer.data(), size});
  step(pipe);
}

void ProxyLink::write(Pipe& pipe) {
  std::size_t size = pipe.end - pipe.begin;
  if (pipe.faults.is_byte_at_a_time) size = 1;
  if (pipe.faults.cut_after)
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, *pipe.faults.cut_after));
  tell_tap(pipe, pipe.begin + size);
  pipe.is_busy = true;
  pipe.to.async_write_some(asio::buffer(pipe.buffer.data() + pipe.begin, size),
                           [self = shared_from_this(), &pipe](error_code error, std::size_t written) {
                             self->on_write(pipe, error, written);
                           });
}

// Before they are written: an answer may be read before the write is heard of.
void ProxyLink::tell_tap(Pipe& pipe, std::size_t end) {
  if (pipe.way == Way::down || !tap_ || end <= pipe.told) return;
  tap_(Way::up, {pipe.buffer.data() + pipe.told, end - pipe.told});
  pipe.told = end;
}

void ProxyLink::on_write(Pipe& pipe, error_code error, std::size_t size) {
  pipe.is_busy = false;
  if (has_ended_) return;
  if (error) {
    pipe.discards = true;
    return step(pipe);
  }
  (pipe.way == Way::up ? shared_.stats.bytes_up : shared_.stats.bytes_down) += size;
  pipe.begin = std::min(pipe.begin + size, pipe.end);  // The link may have been cut meanwhile.
  if (pipe.faults.cut_after) *pipe.faults.cut_after -= std::min<std::uint64_t>(size, *pipe.faults.cut_after);
  if (!cut_if_due(pipe)) step(pipe);
}

bool ProxyLink::cut_if_due(Pipe& pipe) {
  if (pipe.faults.cut_after != 0U) return false;
  pipe.faults.cut_after.reset();
  ++shared_.stats.cut;
  lose_client(pipe.faults.cut_by);
  return true;
}

// The server's last words end the link; the client's are followed by an end, and its answers still come.
void ProxyLink::on_source_end(Pipe& pipe) {
  pipe.is_ended = true;
  if (pipe.way == Way::down || pipe.discards) return end();
  error_code ignored;
  server_.shutdown(StreamSocket::shutdown_send, ignored);
}

void ProxyLink::lose_client(CutBy by) {
  close(client_, by);
  up_.is_ended = true;
  up_.begin = up_.end;
  down_.discards = true;
  error_code ignored;
  server_.shutdown(StreamSocket::shutdown_send, ignored);
  step(down_);
}

void ProxyLink::lose_server() {
  close(server_, CutBy::reset);
  down_.is_ended = true;
  down_.begin = down_.end;
  up_.discards = true;
  step(up_);
}

void ProxyLink::reset(Way way) {
  if (!is_connected_ || way == Way::both) {
    close(client_, CutBy::reset);
    close(server_, CutBy::reset);
    return end();
  }
  way == Way::up ? lose_server() : lose_client(CutBy::reset);
}

void ProxyLink::end() {
  if (std::exchange(has_ended_, true)) return;
  up_.hold.cancel();
  down_.hold.cancel();
  close(client_, CutBy::end);
  close(server_, CutBy::end);
  asio::post(io_, [self = shared_from_this()] { self->shared_.ended(*self); });
}

}  // namespace hotkeyd::testing
