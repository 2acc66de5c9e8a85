// watch: subscribes, prints events as they come, heals gaps by a snapshot, and stays through a restart of the
// daemon.
#include <chrono>
#include <iostream>
#include <string>
#include <thread>
#include <utility>

#include "base/backoff.h"
#include "base/clock.h"
#include "base/text.h"
#include "cli/ctl_session.h"
#include "cli/verbs.h"
#include "cli/watched_stream.h"

namespace hotkeyd {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A daemon that is restarted is back within this.
constexpr seconds kStayWithout{30};
// Heartbeats come each second.
constexpr seconds kSilenceMax{10};

class Watcher {
 public:
  explicit Watcher(const CtlCommandLine& line) : line_(line), backoff_(milliseconds(100), seconds(2), 1) {}

  int run() {
    while (!exit_code_) {
      const auto listened = connect_and_listen();
      if (!listened) wait_to_try_again(listened.error());
    }
    return *exit_code_;
  }

 private:
  // Returns when the connection is lost, or when exit_code_ is set.
  Result<void> connect_and_listen() {
    auto opened = DaemonConnection::open(line_.daemon);
    if (!opened) return Error{opened.error()};
    DaemonConnection daemon = std::move(*opened);
    const std::string channel = "hotkey:events:" + line_.ns;
    const std::string_view subscribe[] = {"SUBSCRIBE", channel};
    if (auto sent = daemon.send(subscribe); !sent) return sent;
    stream_.reconnected();
    while (!exit_code_) {
      const auto value = daemon.receive(kSilenceMax);
      if (!value) return Error{value.error()};
      if (!*value) return Error{"lost the daemon: no heartbeat within 10 s"};
      if (auto taken = take(**value, daemon); !taken) return taken;
    }
    return {};
  }

  Result<void> take(const RespValue& value, DaemonConnection& daemon) {
    if (value.is_error()) {
      complain("the daemon refused: " + redis_escape(value.text));
      exit_code_ = ctl_exit_refused;
      return {};
    }
    if (value.kind == RespValue::Kind::bulk)
      return take_event(value.text, daemon);  // The answer to SNAPSHOT.
    const bool is_message = value.items.size() == 3 && value.items[0].text == "message";
    if (!is_message) return {};
    stream_known_ = true;
    given_up_at_.reset();
    backoff_.reset();
    return take_event(value.items[2].text, daemon);
  }

  Result<void> take_event(const std::string& json, DaemonConnection& daemon) {
    const auto event = decode_event(json);
    if (!event) {
      complain("an event that cannot be read: " + redis_escape(event.error()));
      return {};
    }
    const auto outcome = stream_.apply(*event, read_clocks().unix_ms);
    print(outcome, event->type, json);
    if (!outcome.has_gap) return {};
    const std::string_view snapshot[] = {"HOTKEY", "SNAPSHOT", line_.ns};
    return daemon.send(snapshot);
  }

  void print(const WatchedStream::Outcome& outcome, EventType type, const std::string& json) const {
    if (line_.json) {
      if (type != EventType::heartbeat) std::cout << json << "\n";
    } else {
      for (const std::string& text : outcome.lines) std::cout << text << "\n";
    }
    std::cout.flush();
  }

  void wait_to_try_again(const std::string& reason) {
    if (!stream_known_ || (given_up_at_ && Clock::now() >= *given_up_at_)) {
      complain(reason);
      exit_code_ = ctl_exit_unreachable;
      return;
    }
    if (!given_up_at_) {
      complain(reason + "; trying again for 30 s");
      given_up_at_ = Clock::now() + kStayWithout;
    }
    std::this_thread::sleep_for(backoff_.next());
  }

  const CtlCommandLine& line_;
  WatchedStream stream_;
  Backoff backoff_;
  std::optional<Time> given_up_at_;  // Set while the daemon is away.
  bool stream_known_ = false;        // An event came at least once.
  std::optional<int> exit_code_;
};

}  // namespace

int run_watch(const CtlCommandLine& line) { return Watcher(line).run(); }

}  // namespace hotkeyd
