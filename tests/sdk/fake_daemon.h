// A daemon for tests of the SDK: speaks RESP on a unix socket, remembers what it was told, and misbehaves on
// demand.
//
// Runs a thread of its own; every member may be called from the test's.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "resp/request_parser.h"
#include "wire/report.h"

namespace hotkeyd::sdk {

// What it does with reports.
enum class Mood { answers, refuses, ignores, hangs_up };

struct Row {
  std::uint64_t reads = 0;
  std::uint64_t misses = 0;
  std::uint64_t local_hits = 0;
  bool operator==(const Row&) const = default;
};

struct Told {
  std::uint64_t connections = 0;
  std::map<std::string, std::uint64_t> reads;              // By key; each batch once.
  std::map<std::string, std::set<std::uint64_t>> batches;  // Producer: numbers answered.
  std::map<std::string, Row> rows;                         // The same in full.
  NearCacheFigures near;                                   // The last.
  std::uint64_t accesses = 0;                              // Of those.
  std::uint64_t repeated = 0;                              // Batches seen before.
  std::uint64_t recorded = 0;                              // The last TOTALS.
  std::uint64_t dropped = 0;
  std::vector<std::string> invalidated;
  std::vector<std::string> hello;
};

class FakeDaemon {
 public:
  FakeDaemon();
  ~FakeDaemon();
  FakeDaemon(const FakeDaemon&) = delete;
  FakeDaemon& operator=(const FakeDaemon&) = delete;

  std::string url() const { return "unix://" + path_; }
  void stop();   // Closes the socket and every connection.
  void start();  // Listens again.
  void set_mood(Mood mood);
  // Pushes an event to every subscriber; subscribers to come get `snapshot` first.
  void push(const std::string& json);
  void set_snapshot(const std::string& json);
  Told told();
  // Waits until the claim holds, at most 20 s; looks whenever something was said.
  bool wait_until(const std::function<bool(const Told&)>& claim);

 private:
  struct Peer {
    int fd = -1;
    bool is_subscribed = false;
    std::string input;
    RequestParser parser;
  };

  void run();
  void accept_peer();
  bool serve(Peer& peer);
  bool answer(Peer& peer, std::span<const std::string_view> words);
  bool answer_report(Peer& peer, std::span<const std::string_view> arguments);
  void send_all(int fd, std::string_view bytes);
  void push_to(int fd, const std::string& json);

  std::string folder_;
  std::string path_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Told told_;
  Mood mood_ = Mood::answers;
  std::string snapshot_;
  std::vector<Peer> peers_;
  int listener_ = -1;
  int wake_[2] = {-1, -1};
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace hotkeyd::sdk
