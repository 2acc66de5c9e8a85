// event_latency: from the report that lifts a key over its threshold to its event at two subscribers.
//
//   event_latency --socket PATH --redis PORT [--probes 1000] [--background 1000000]
// The daemon needs a rule that promotes "probe:*" at up to 1000/s, none for "key:*", and a Redis publisher.
// One thread: it sends the background and the probes and reads both subscribers. Times begin before the probe
// is written, so they hold what the application pays. Prints "name value" lines, in microseconds.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iostream>
#include <string>
#include <vector>

#include "base/clock.h"
#include "bench/support/ask.h"
#include "bench/support/batch_ring.h"
#include "bench/support/load_connection.h"
#include "resp/writer.h"

namespace hotkeyd {
namespace {

struct Options {
  std::string socket;
  std::string redis;
  std::size_t probes = 1000;
  std::uint64_t background = 1'000'000;  // Rows a second.
  std::uint64_t interval_ms = 10;        // Between probes.
  BatchRingOptions ring;
};

double since(Time begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// Follows hotkey:events:<ns> and notes when the promotion of each probe came.
class Subscriber {
 public:
  Subscriber(const std::string& address, const std::string& ns, std::size_t probes)
      : connection_(address), came_after_(probes, -1) {
    append_command(request_, {"SUBSCRIBE", "hotkey:events:" + ns});
    if (!connection_.send(request_)) give_up("subscribe");
  }

  void read(const std::vector<Time>& sent) {
    std::array<char, 65536> buffer;
    const ssize_t got = recv(connection_.fd(), buffer.data(), buffer.size(), 0);
    if (got <= 0) return;
    const Time now = Clock::now();
    parser_.feed({buffer.data(), static_cast<std::size_t>(got)});
    for (auto value = parser_.next(); value && *value; value = parser_.next()) take(**value, sent, now);
  }
  bool is_subscribed() const { return is_subscribed_; }
  std::size_t received() const { return received_; }
  int fd() const { return connection_.fd(); }

  // The time that a share of the probes stayed within, in microseconds.
  std::uint64_t percentile(double share) const {
    std::vector<double> times;
    std::copy_if(came_after_.begin(), came_after_.end(), std::back_inserter(times),
                 [](double t) { return t >= 0; });
    if (times.empty()) return 0;
    std::sort(times.begin(), times.end());
    const auto at = static_cast<std::size_t>(share * static_cast<double>(times.size()));
    return static_cast<std::uint64_t>(times[std::min(at, times.size() - 1)] * 1e6);
  }

 private:
  void take(const RespValue& value, const std::vector<Time>& sent, Time now) {
    is_subscribed_ = true;
    if (value.items.empty() || value.items.back().text.find("\"hotkey.promoted\"") == std::string::npos)
      return;
    constexpr std::string_view kSubject = "\"subject\":\"probe:";
    const std::string& event = value.items.back().text;
    const std::size_t at = event.find(kSubject);
    if (at == std::string::npos) return;
    const std::size_t probe = std::stoul(event.substr(at + kSubject.size()));
    if (probe >= sent.size() || came_after_[probe] >= 0) return;
    came_after_[probe] = std::chrono::duration<double>(now - sent[probe]).count();
    ++received_;
  }

  LoadConnection connection_;
  std::string request_;
  ReplyParser parser_;
  std::vector<double> came_after_;
  bool is_subscribed_ = false;
  std::size_t received_ = 0;
};

class Probing {
 public:
  explicit Probing(const Options& options)
      : options_(options),
        ring_(options.ring),
        background_(options.socket),
        probes_(options.socket),
        local_(options.socket, options.ring.ns, options.probes),
        remote_(options.redis, options.ring.ns, options.probes) {}

  void run() {
    while (!local_.is_subscribed() || !remote_.is_subscribed()) turn();
    const Time begin = Clock::now();
    // A second of background before the first probe, two for the last events.
    const double last = 1 + static_cast<double>(options_.probes * options_.interval_ms) / 1000;
    while (since(begin) < last + 2) {
      send_background(begin);
      const double when = 1 + static_cast<double>(sent_.size() * options_.interval_ms) / 1000;
      if (sent_.size() < options_.probes && since(begin) >= when) send_probe();
      turn();
      if (sent_.size() == options_.probes && local_.received() + remote_.received() == 2 * options_.probes)
        break;
    }
    background_rate_ = static_cast<double>(background_.sum()) / since(begin);
  }

  void print() const {
    std::cout << "background_rows_per_second " << static_cast<std::uint64_t>(background_rate_) << '\n';
    print("local", local_);
    print("redis", remote_);
  }
  bool is_complete() const {
    return local_.received() == options_.probes && remote_.received() == options_.probes;
  }

 private:
  static void print(const std::string& name, const Subscriber& subscriber) {
    std::cout << name << "_received " << subscriber.received() << '\n';
    for (const auto& [label, share] : {std::pair{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"max", 1.0}}) {
      std::cout << name << '_' << label << "_us " << subscriber.percentile(share) << '\n';
    }
  }

  void send_background(Time begin) {
    const auto due = static_cast<std::uint64_t>(since(begin) * static_cast<double>(options_.background));
    while (totals_.recorded < due && background_.is_idle()) {
      const ReportTotals after{totals_.recorded + options_.ring.rows, 0};
      if (!background_.send(ring_.prepare(seq_ + 1, after))) return;
      ring_.advance();
      totals_ = after;
      ++seq_;
    }
  }

  void send_probe() {
    const std::string seq = std::to_string(sent_.size() + 1);
    const std::string key = "probe:" + std::to_string(sent_.size());
    probe_.clear();
    append_command(probe_, {"HOTKEY", "REPORT", options_.ring.ns, options_.ring.producer + "/probe", "1", seq,
                            "1", key, "1000", "0", "0", "0", "0"});
    sent_.push_back(Clock::now());
    if (!probes_.send(probe_)) give_up("probe");
  }

  // Waits for at most a millisecond, then takes what is there.
  void turn() {
    std::array<pollfd, 4> entries{{{.fd = local_.fd(), .events = POLLIN, .revents = 0},
                                   {.fd = remote_.fd(), .events = POLLIN, .revents = 0},
                                   {.fd = background_.fd(), .events = POLLIN, .revents = 0},
                                   {.fd = probes_.fd(), .events = POLLIN, .revents = 0}}};
    poll(entries.data(), entries.size(), 1);
    if (entries[0].revents != 0) local_.read(sent_);
    if (entries[1].revents != 0) remote_.read(sent_);
    background_.read_replies();
    probes_.read_replies();
  }

  const Options& options_;
  BatchRing ring_;
  LoadConnection background_;
  LoadConnection probes_;
  Subscriber local_;
  Subscriber remote_;
  std::string probe_;
  std::vector<Time> sent_;
  ReportTotals totals_;
  std::uint64_t seq_ = 0;
  double background_rate_ = 0;
};

}  // namespace
}  // namespace hotkeyd

int main(int argc, char** argv) {
  hotkeyd::Options options;
  CLI::App app("Measures the time from a report to the events it causes.");
  app.add_option("--socket", options.socket, "path of the daemon's unix socket")->required();
  app.add_option("--redis", options.redis, "port (on 127.0.0.1) or path of the Redis it publishes to")
      ->required();
  app.add_option("--probes", options.probes, "keys that jump over the threshold");
  app.add_option("--interval-ms", options.interval_ms, "between probes");
  app.add_option("--background", options.background, "rows a second of other keys");
  app.add_option("--ns", options.ring.ns, "namespace");
  CLI11_PARSE(app, argc, argv);
  options.ring.producer = "event_latency/" + std::to_string(getpid());
  options.ring.epoch = static_cast<std::uint64_t>(hotkeyd::read_clocks().unix_ms);
  hotkeyd::Probing probing(options);
  probing.run();
  probing.print();
  return probing.is_complete() ? 0 : 1;
}
