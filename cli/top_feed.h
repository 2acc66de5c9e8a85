// Asks the daemon every second what `top` shows, without ever making the person wait for it.
//
// `step` sends, reads and connects as far as that goes at once (a connection is waited for at most half a
// second) and hands out a sample when one is whole. A daemon that goes away is tried again for 30 s; one that
// refuses, or was not there at first, ends the feed. One thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/backoff.h"
#include "base/clock.h"
#include "base/endpoint.h"
#include "cli/daemon_connection.h"
#include "cli/top_sample.h"

namespace hotkeyd {

class TopFeed {
 public:
  TopFeed(const Endpoint& daemon, std::string_view ns);

  std::optional<TopSample> step(Now now);

  // Why nothing comes at the moment; empty while all is well.
  std::string trouble(Time now) const;
  // Set once the feed has ended for good: the program's exit code, with trouble() for the sentence.
  std::optional<int> ended() const { return ended_; }

  // To wait on until the next step: -1 while there is no connection, and the time at the latest.
  int descriptor() const { return connection_ ? connection_->descriptor() : -1; }
  Time wake() const { return is_asked_ ? Time::max() : next_; }

 private:
  void connect(Time now);
  Result<void> ask(Time now);
  // Reads what is there; a sample once both answers are.
  Result<std::optional<TopSample>> collect(Now now);
  void lose(std::string reason, Time now);
  void end(int exit_code, std::string reason);

  Endpoint daemon_;
  std::string ns_;
  TopSampler sampler_;
  Backoff backoff_;
  std::optional<DaemonConnection> connection_;
  std::vector<RespValue> answers_;
  bool is_asked_ = false;
  bool was_connected_ = false;
  Time asked_{};
  Time next_{};                     // When to ask or to connect.
  std::optional<Time> give_up_at_;  // While the daemon is away.
  std::string reason_;
  std::optional<int> ended_;
};

}  // namespace hotkeyd
