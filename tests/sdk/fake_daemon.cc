#include "fake_daemon.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
#include <cstring>

#include "resp/writer.h"
#include "wire/report.h"

namespace hotkeyd::sdk {
namespace {

constexpr char kRules[] = R"({"rules":[],"smallest_threshold":1000})";

std::string reply(const std::function<void(RespWriter&)>& write) {
  std::string out;
  RespWriter writer(out, RespVersion::resp3);
  write(writer);
  return out;
}

}  // namespace

FakeDaemon::FakeDaemon() {
  std::string pattern = "/tmp/hotkey-sdk-XXXXXX";
  folder_ = ::mkdtemp(pattern.data());
  path_ = folder_ + "/daemon.sock";
  start();
}

FakeDaemon::~FakeDaemon() {
  stop();
  ::rmdir(folder_.c_str());
}

void FakeDaemon::start() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path_.data(), path_.size());
  listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the socket API.
  const int bound = ::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  if (bound != 0 || ::listen(listener_, 16) != 0 || ::pipe(wake_) != 0) std::abort();
  is_stopping_ = false;
  thread_ = std::thread([this] { run(); });
}

void FakeDaemon::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    if (::write(wake_[1], "x", 1) != 1) std::abort();
  }
  thread_.join();
  for (const Peer& peer : peers_) ::close(peer.fd);
  peers_.clear();
  for (const int fd : {listener_, wake_[0], wake_[1]}) ::close(fd);
  ::unlink(path_.c_str());
}

void FakeDaemon::set_mood(Mood mood) {
  const std::lock_guard lock(mutex_);
  mood_ = mood;
}

void FakeDaemon::set_snapshot(const std::string& json) {
  const std::lock_guard lock(mutex_);
  snapshot_ = json;
}

void FakeDaemon::push(const std::string& json) {
  const std::lock_guard lock(mutex_);
  for (const Peer& peer : peers_) {
    if (peer.is_subscribed) push_to(peer.fd, json);
  }
}

Told FakeDaemon::told() {
  const std::lock_guard lock(mutex_);
  return told_;
}

bool FakeDaemon::wait_until(const std::function<bool(const Told&)>& claim) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return claim(told_); });
}

void FakeDaemon::run() {
  while (true) {
    std::vector<pollfd> polled{{listener_, POLLIN, 0}, {wake_[0], POLLIN, 0}};
    for (const Peer& peer : peers_) polled.push_back({peer.fd, POLLIN, 0});
    ::poll(polled.data(), polled.size(), -1);
    const std::lock_guard lock(mutex_);
    if (is_stopping_) return;
    std::vector<Peer> alive;
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      if (polled[i + 2].revents == 0 || serve(peers_[i])) {
        alive.push_back(std::move(peers_[i]));
      } else {
        ::close(peers_[i].fd);
      }
    }
    peers_ = std::move(alive);
    if (polled[0].revents != 0) accept_peer();
    changed_.notify_all();
  }
}

void FakeDaemon::accept_peer() {
  Peer peer;
  peer.fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (peer.fd < 0) return;
  ++told_.connections;
  peers_.push_back(std::move(peer));
}

bool FakeDaemon::serve(Peer& peer) {
  std::array<char, 65'536> bytes;
  const ssize_t got = ::recv(peer.fd, bytes.data(), bytes.size(), 0);
  if (got <= 0) return false;
  peer.input.append(bytes.data(), static_cast<std::size_t>(got));
  while (true) {
    const auto outcome = peer.parser.parse(peer.input);
    if (outcome.status == RequestParser::Status::error) return false;
    if (outcome.status == RequestParser::Status::request && !answer(peer, peer.parser.arguments()))
      return false;
    peer.input.erase(0, outcome.consumed);
    if (outcome.status == RequestParser::Status::incomplete) return true;
  }
}

bool FakeDaemon::answer(Peer& peer, std::span<const std::string_view> words) {
  if (words[0] == "HELLO") {
    told_.hello.assign(words.begin(), words.end());
    send_all(peer.fd, "%1\r\n+proto\r\n:3\r\n");
  } else if (words[0] == "SUBSCRIBE") {
    peer.is_subscribed = true;
    send_all(peer.fd, reply([&](RespWriter& writer) {
               writer.push(3);
               writer.bulk("subscribe");
               writer.bulk(words[1]);
               writer.integer(1);
             }));
    if (!snapshot_.empty()) push_to(peer.fd, snapshot_);
  } else if (words[0] == "PING") {
    send_all(peer.fd, "+PONG\r\n");
  } else if (words[1] == "RULES") {
    send_all(peer.fd, reply([](RespWriter& writer) { writer.bulk(kRules); }));
  } else if (words[1] == "SNAPSHOT") {
    send_all(peer.fd, reply([&](RespWriter& writer) { writer.bulk(snapshot_); }));
  } else if (words[1] == "INVALIDATE") {
    for (const std::string_view key : words.subspan(3)) told_.invalidated.emplace_back(key);
    send_all(peer.fd, ":1\r\n");
  } else if (words[1] == "REPORT") {
    return answer_report(peer, words.subspan(2));
  }
  return true;
}

bool FakeDaemon::answer_report(Peer& peer, std::span<const std::string_view> arguments) {
  if (mood_ == Mood::ignores) return true;
  Report report;
  if (mood_ == Mood::refuses || !decode_report(arguments, report)) {
    send_all(peer.fd, "-ERR refused\r\n");
    return true;
  }
  const bool is_new = told_.batches[std::string(report.producer)].insert(report.seq).second;
  if (is_new) {
    for (const ReportRow& row : report.rows) {
      told_.accesses += row.reads + row.writes;
      told_.reads[std::string(row.key)] += row.reads;
      Row& sum = told_.rows[std::string(row.key)];
      sum.reads += row.reads;
      sum.misses += row.misses;
      sum.local_hits += row.local_hits;
    }
    told_.recorded = report.totals->recorded;
    told_.dropped = report.totals->dropped;
    told_.near = report.near.value_or(NearCacheFigures{});
  } else {
    ++told_.repeated;
  }
  if (mood_ == Mood::hangs_up) return false;
  send_all(peer.fd, reply([&](RespWriter& writer) {
             writer.integer(is_new ? static_cast<std::int64_t>(report.rows.size()) : 0);
           }));
  return true;
}

void FakeDaemon::push_to(int fd, const std::string& json) {
  send_all(fd, reply([&](RespWriter& writer) {
             writer.push(3);
             writer.bulk("message");
             writer.bulk("hotkey:events:shop");
             writer.bulk(json);
           }));
}

void FakeDaemon::send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

}  // namespace hotkeyd::sdk
