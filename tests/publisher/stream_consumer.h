// A consumer of one node's stream on Redis that follows the contract: subscribe, read the hash, apply what is
// newer, take a snapshot (read the hash again) after a gap.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/resp_client.h"
#include "wire/event.h"

namespace hotkeyd::testing {

class StreamConsumer {
 public:
  StreamConsumer(std::uint16_t port, std::string ns, std::string node = "web-1");

  // Takes what comes until the keys held are these; false when they are not within a generous time.
  bool comes_to_hold(const std::set<std::string>& keys);
  // Takes what comes until an event of this type (of this key) has come.
  bool sees(EventType type, const std::string& key = "");

  const std::vector<Event>& events() const { return events_; }
  std::size_t count(EventType type) const;
  int gaps() const { return gaps_; }

 private:
  bool take(std::chrono::milliseconds patience);  // Whether a message came.
  void apply(const Event& event);
  void read_hash();
  void accept(const KeyData& data);
  std::set<std::string> held() const;

  RespClient subscription_;
  RespClient reader_;
  const std::string ns_;
  const std::string node_;
  std::uint64_t seq_ = 0;
  bool is_known_ = false;
  int gaps_ = 0;
  std::map<std::string, std::pair<std::uint64_t, bool>>
      keys_;  // Of each key the last version and whether it is hot.
  std::vector<Event> events_;
};

// The fields of a node's hash without meta, each without its "k:".
std::map<std::string, std::string> hash_of(RespClient& client, const std::string& ns,
                                           const std::string& node = "web-1");

}  // namespace hotkeyd::testing
