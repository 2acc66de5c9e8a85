#include "server/session.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/log.h"

namespace hotkeyd {
namespace {

constexpr std::size_t kWorkMax = 1 << 20;     // Bytes of replies that one turn makes.
constexpr std::size_t kWriteMax = 1 << 20;    // Bytes that one turn writes to one connection.
constexpr std::size_t kPiecesMax = 64;        // Of a gathered write.
constexpr std::size_t kRestKept = 64 * 1024;  // Capacity that an empty rest may keep.

}  // namespace

void SessionsShared::flush() {
  write_output();
  plan_rest();
}

std::size_t SessionsShared::write_output() {
  std::size_t done = 0;
  while (!with_output.empty() && done < kFlushMax) {
    const auto session = std::move(with_output.front());
    with_output.pop_front();
    done += std::max(session->flush(), kWriteCost);
  }
  return done;
}

void SessionsShared::plan_rest() {
  if (with_output.empty() && with_snapshots.empty()) return;
  if (!std::exchange(turn_is_planned, true)) next_turn.start(Time{}, [this] { run_turn(); });
}

void SessionsShared::run_turn() {
  turn_is_planned = false;
  std::size_t done = write_output();
  while (!with_snapshots.empty() && done < kFlushMax) {
    const auto session = std::move(with_snapshots.front());
    with_snapshots.pop_front();
    done += std::max(session->send_part(), kWriteCost);
  }
  plan_rest();
}

Session::Session(StreamSocket socket, std::uint64_t id, bool is_unix, SessionsShared& shared)
    : socket_(std::move(socket)),
      shared_(&shared),
      client_(id, permissions_without_users(is_unix),
              MailboxOptions{.output_waits = [this] { want_flush(); }, .overflowed = [this] { cut(); }}) {
  client_.answered = [this] { on_answered(); };
}

bool Session::takes_input() const {
  const bool has_to_wait = client_.reply_waits() && (is_blocked_ || !client_.deferred.takes_orders());
  return !closed_ && !client_.closes_after_flush && !has_to_wait && broken_.empty() &&
         !client_.mailbox.snapshot_waits() &&
         client_.output.size(OutputBuffer::Kind::reply) < kPendingRepliesMax;
}

// Decides what this session waits for next. It is called again whenever output has drained.
void Session::go_on() {
  if (!takes_input() || resuming_) return;
  if (has_requests_) {
    resuming_ = true;
    return asio::post(socket_.get_executor(), [self = shared_from_this()] { self->on_rest(); });
  }
  if (at_end_) {
    if (client_.reply_waits()) return;
    client_.closes_after_flush = true;
    write_output();
    return;
  }
  if (std::exchange(reading_, true)) return;
  socket_.async_wait(StreamSocket::wait_read,
                     [self = shared_from_this()](error_code) { self->on_readable(); });
}

void Session::on_readable() {
  reading_ = false;
  if (closed_ || at_end_ || !takes_input()) return;
  error_code error;
  const auto space = shared_->area.space();
  const std::size_t size = socket_.read_some(asio::buffer(space.data(), space.size()), error);
  if (error && error != asio::error::would_block && error != asio::error::eof) return close();
  at_end_ = error == asio::error::eof;
  if (size > 0) take_input(size);
  end_turn();
}

void Session::on_rest() {
  resuming_ = false;
  is_blocked_ = false;
  if (closed_) return;
  if (!broken_.empty() && !client_.reply_waits()) refuse(std::exchange(broken_, {}));
  if (takes_input()) {
    has_requests_ = false;
    take_input(0);
  }
  end_turn();
}

// Goes on from the loop: the answer may come while a request runs, or in the turn of another connection.
void Session::on_answered() {
  if (closed_ || std::exchange(resuming_, true)) return;
  asio::post(socket_.get_executor(), [self = shared_from_this()] { self->on_rest(); });
}

// `size` bytes were read into the shared area.
void Session::take_input(std::size_t size) {
  if (rest_.size() <= ReadArea::kFront) {
    const std::string_view bytes = shared_->area.behind(rest_, size);
    return keep_rest(bytes.substr(run(bytes)));
  }
  rest_.append(shared_->area.space().data(), size);
  keep_rest(std::string_view(rest_).substr(run(rest_)));
}

void Session::keep_rest(std::string_view bytes) {
  if (closed_) return;
  const std::size_t counted = rest_counted_;
  shared_->rest_bytes += bytes.size() - counted;
  rest_counted_ = bytes.size();
  if (rest_counted_ > counted && shared_->rest_bytes > kRestBytesMax)
    refuse("ERR too many unfinished requests");
  rest_.assign(bytes);
  if (rest_.empty() && rest_.capacity() > kRestKept) rest_.shrink_to_fit();
}

// Runs the requests in `bytes`; returns how many bytes are done with.
std::size_t Session::run(std::string_view bytes) {
  const Now now = read_clocks();
  std::size_t done = 0;
  for (std::size_t work = 0; takes_input() && work < kWorkMax;) {
    const auto outcome = parser_.parse(bytes.substr(done));
    is_blocked_ = outcome.status == RequestParser::Status::request && must_wait(client_, parser_.arguments());
    if (is_blocked_) break;
    done += outcome.consumed;
    if (outcome.status == RequestParser::Status::incomplete) return done;
    if (outcome.status == RequestParser::Status::error) {
      ++shared_->protocol_errors;
      refuse("ERR Protocol error: " + parser_.error());
      return done;
    }
    ++shared_->commands;
    work += execute(shared_->services, client_, parser_.arguments(), now);
    if (client_.closes_now) close();
  }
  has_requests_ = done < bytes.size();
  return done;
}

// Behind the replies that are still to come.
void Session::refuse(const std::string& reason) {
  if (client_.reply_waits()) {
    broken_ = reason;
    return;
  }
  RespWriter(client_.output.replies(), client_.version).error(reason);
  client_.closes_after_flush = true;
}

void Session::end_turn() {
  want_flush();
  shared_->flush();
  go_on();
}

void Session::want_flush() {
  if (closed_ || std::exchange(flush_wanted_, true)) return;
  shared_->with_output.push_back(shared_from_this());
}

void Session::want_part() {
  if (closed_ || std::exchange(part_wanted_, true)) return;
  shared_->with_snapshots.push_back(shared_from_this());
  shared_->plan_rest();
}

std::size_t Session::flush() {
  flush_wanted_ = false;
  if (closed_) return 0;
  const std::size_t written = write_output();
  go_on();
  return written;
}

std::size_t Session::write_output() {
  std::size_t written = 0;
  if (writing_) return written;
  while (!client_.output.empty()) {
    if (!write_once(written)) return written;
    if (written < kWriteMax) continue;
    wait_writable();
    return written;
  }
  if (client_.mailbox.snapshot_waits()) {
    want_part();
  } else if (client_.closes_after_flush) {
    close();
  }
  return written;
}

std::size_t Session::send_part() {
  part_wanted_ = false;
  if (closed_ || writing_) return 0;
  const std::size_t pending = client_.output.size();
  const std::uint64_t captured = shared_->services.streams.captured_bytes();
  client_.mailbox.fill([this](LocalStream& stream) { return shared_->services.streams.capture(stream); });
  const std::size_t made = client_.output.size() - pending;
  flush();
  return made + (shared_->services.streams.captured_bytes() - captured);
}

// False: nothing more can be written now.
bool Session::write_once(std::size_t& written) {
  std::array<std::string_view, kPiecesMax> pieces;
  const std::size_t count = client_.output.gather(pieces, kWriteMax);
  shared_->pieces.clear();
  for (std::size_t i = 0; i < count; ++i) shared_->pieces.emplace_back(pieces[i].data(), pieces[i].size());
  error_code error;
  const std::size_t size = socket_.write_some(shared_->pieces, error);
  client_.output.consume(size);
  written += size;
  if (!error) return true;
  error == asio::error::would_block ? wait_writable() : close();
  return false;
}

void Session::wait_writable() {
  writing_ = true;
  socket_.async_wait(StreamSocket::wait_write,
                     [self = shared_from_this()](error_code) { self->on_writable(); });
}

void Session::on_writable() {
  writing_ = false;
  flush();
}

void Session::drain() {
  at_end_ = true;
  flush();
}

void Session::cut() {
  if (closed_) return;
  ++shared_->cut_subscribers;
  log_warning("subscriber_cut",
              {{"client", client_.id}, {"name", client_.name}, {"reason", "8 MiB of events pending"}});
  close();
}

// The session may be in the middle of being told something: it leaves the subscriptions only from the loop.
void Session::close() {
  if (std::exchange(closed_, true)) return;
  shared_->rest_bytes -= rest_counted_;
  error_code ignored;
  socket_.close(ignored);
  asio::post(socket_.get_executor(), [self = shared_from_this()] {
    if (self->shared_ != nullptr) self->shared_->closed(*self);
  });
}

void Session::abandon() {
  closed_ = true;
  shared_ = nullptr;
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace hotkeyd
