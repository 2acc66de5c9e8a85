// Follows the events of one namespace for `watch`: turns each into lines, and notices when some are missing.
//
// Keeps the hot set, so that a snapshot after a gap or a restart of the daemon tells what was missed: keys
// that became hot or cold meanwhile. Relayed invalidations of other nodes are shown and change nothing. Holds
// at most the daemon's hot set. Pure; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "wire/event.h"

namespace hotkeyd {

class WatchedStream {
 public:
  struct Outcome {
    std::vector<std::string> lines;
    bool has_gap = false;  // Ask for a snapshot; only the first time until it comes.
  };

  Outcome apply(const Event& event, UnixMs now);
  // The connection is new: what was asked on the old one does not come.
  void reconnected();

 private:
  bool is_other_node(const Event& event) const { return has_snapshot_ && event.stream.node != node_; }
  bool follows(const Event& event) const;
  void note_gap(Outcome& outcome);
  void apply_to_key(const Event& event, UnixMs now, Outcome& outcome);
  void apply_snapshot(const Event& event, UnixMs now, Outcome& outcome);
  void replace_hot_set(UnixMs now, Outcome& outcome);
  void tell_first_snapshot(UnixMs now, Outcome& outcome) const;

  std::map<std::string, KeyData> hot_;
  std::map<std::string, KeyData> arriving_;  // The parts of a snapshot so far.
  std::uint64_t parts_seen_ = 0;
  std::string node_;
  std::uint64_t epoch_ = 0;
  std::uint64_t seq_ = 0;
  bool has_snapshot_ = false;
  bool awaits_snapshot_ = false;
};

}  // namespace hotkeyd
