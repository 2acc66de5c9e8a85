// report_load: how many rows a second a daemon takes, from a generator with prepared batches.
//
//   report_load --socket PATH [--seconds 10] [--rows 512] [--new-keys]     as many rows as it takes
//   report_load --socket PATH --offer 20000000                             offers that rate, drops what does
//   not fit report_load --socket PATH --hit                                        HOTKEY HIT, 64 in flight a
//   connection
// Prints "name value" lines; fails when the daemon's counters do not say the same as the generator.
#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>

#include "base/clock.h"
#include "bench/support/ask.h"
#include "bench/support/batch_ring.h"
#include "bench/support/load_connection.h"
#include "resp/writer.h"

namespace hotkeyd {
namespace {

using Seconds = std::chrono::duration<double>;

struct Options {
  std::string socket;
  double seconds = 10;
  std::uint64_t rows_total = 0;  // 0: no end but `seconds`.
  std::uint64_t offer = 0;       // Rows a second; 0: as many as the daemon takes.
  bool hit = false;
  std::size_t connections = 8;  // Of --hit.
  BatchRingOptions ring;
};

// What the daemon counted before and after; each load is alone.
struct Counters {
  explicit Counters(const std::string& socket)
      : counted(counter(socket, "source_accesses_total{source=\"report\"")),
        lost(counter(socket, "source_lost_accesses_total")),
        dropped(counter(socket, "source_dropped_accesses_total{source=\"report\"")) {}

  std::uint64_t counted;
  std::uint64_t lost;
  std::uint64_t dropped;
};

// The rate between the end of the warm-up and the last reading.
class Meter {
 public:
  explicit Meter(double seconds) : begin_(Clock::now() + to_duration(std::min(1.0, seconds / 4))) {}

  void read(std::uint64_t total) {
    const Time now = Clock::now();
    if (now < begin_) {
      first_ = total;
      first_at_ = now;
    }
    last_ = total;
    last_at_ = now;
  }
  double rate() const { return static_cast<double>(last_ - first_) / Seconds(last_at_ - first_at_).count(); }

  static Duration to_duration(double seconds) {
    return std::chrono::duration_cast<Duration>(Seconds(seconds));
  }

 private:
  Time begin_;
  std::uint64_t first_ = 0;
  Time first_at_ = Clock::now();
  std::uint64_t last_ = 0;
  Time last_at_ = first_at_;
};

// Sends batches and keeps the totals a producer tells.
class Generator {
 public:
  explicit Generator(const Options& options)
      : options_(options), ring_(options.ring), connection_(options.socket), meter_(options.seconds) {}

  void run_at_peak() {
    const Time end = Clock::now() + Meter::to_duration(options_.seconds);
    while (!is_done() && Clock::now() < end) {
      if (!send_batch()) connection_.wait(100, true);
      connection_.read_replies();
      meter_.read(connection_.sum());
    }
  }

  // What is due and does not fit is dropped, and said in the totals of the next batch.
  void run_at_offer() {
    const Time begin = Clock::now();
    const Time end = begin + Meter::to_duration(options_.seconds);
    for (Time now = begin; now < end; now = Clock::now()) {
      const auto due =
          static_cast<std::uint64_t>(Seconds(now - begin).count() * static_cast<double>(options_.offer));
      while (totals_.recorded < due) {
        if (!send_batch()) drop(due);
      }
      connection_.read_replies();
      meter_.read(connection_.sum());
    }
  }

  // The last batch tells the last totals; then every reply is awaited.
  void finish() {
    const std::size_t replies = seq_ + 1;
    while (!send_batch()) connection_.wait(100, true);
    while (connection_.replies() < replies) {
      connection_.is_idle();
      connection_.wait(1000, false);
      connection_.read_replies();
    }
  }

  double rate() const { return meter_.rate(); }
  std::uint64_t counted() const { return connection_.sum(); }
  ReportTotals totals() const { return totals_; }

 private:
  bool is_done() const { return options_.rows_total != 0 && totals_.recorded >= options_.rows_total; }

  bool send_batch() {
    if (!connection_.is_idle()) return false;
    const ReportTotals after{totals_.recorded + options_.ring.rows, totals_.dropped};
    if (!connection_.send(ring_.prepare(seq_ + 1, after))) return false;
    ring_.advance();
    totals_ = after;
    ++seq_;
    return true;
  }

  // Whole batches up to what is due.
  void drop(std::uint64_t due) {
    const std::uint64_t batches = std::max<std::uint64_t>(1, (due - totals_.recorded) / options_.ring.rows);
    totals_.recorded += batches * options_.ring.rows;
    totals_.dropped += batches * options_.ring.rows;
  }

  const Options& options_;
  BatchRing ring_;
  LoadConnection connection_;
  Meter meter_;
  ReportTotals totals_;
  std::uint64_t seq_ = 0;
};

int report(const Options& options) {
  const Counters before(options.socket);
  Generator generator(options);
  options.offer == 0 ? generator.run_at_peak() : generator.run_at_offer();
  generator.finish();
  const Counters after(options.socket);
  const std::uint64_t counted = after.counted - before.counted;
  const std::uint64_t lost = after.lost - before.lost;
  const std::uint64_t dropped = after.dropped - before.dropped;
  const ReportTotals totals = generator.totals();
  const bool balanced = lost == 0 && counted == generator.counted() && dropped == totals.dropped &&
                        counted + dropped == totals.recorded;
  std::cout << "rows_per_second " << static_cast<std::uint64_t>(generator.rate()) << "\nrecorded "
            << totals.recorded << "\nacknowledged " << generator.counted() << "\ndropped " << totals.dropped
            << "\ndaemon_counted " << counted << "\ndaemon_dropped " << dropped << "\ndaemon_lost " << lost
            << "\nbalanced " << (balanced ? "yes" : "no") << '\n';
  return balanced ? 0 : 1;
}

// One connection of --hit: 64 commands, then 64 replies.
struct HitClient {
  HitClient(const std::string& socket, std::string prepared)
      : connection(socket), commands(std::move(prepared)) {}

  LoadConnection connection;
  std::string commands;
  std::uint64_t sent = 0;
};

int hit(const Options& options) {
  constexpr std::size_t kInFlight = 64;
  const auto keys = draw_keys(options.connections * kInFlight, options.ring.keys, options.ring.zipf);
  std::vector<std::unique_ptr<HitClient>> clients;
  std::vector<pollfd> entries;
  for (std::size_t i = 0; i < options.connections; ++i) {
    std::string commands;
    for (std::size_t k = 0; k < kInFlight; ++k) {
      append_command(commands, {"HOTKEY", "HIT", options.ring.ns, keys[i * kInFlight + k]});
    }
    clients.push_back(std::make_unique<HitClient>(options.socket, std::move(commands)));
    entries.push_back({.fd = clients.back()->connection.fd(), .events = POLLIN, .revents = 0});
  }
  Meter meter(options.seconds);
  const Time end = Clock::now() + Meter::to_duration(options.seconds);
  while (Clock::now() < end) {
    std::uint64_t replies = 0;
    for (auto& client : clients) {
      client->connection.read_replies();
      if (client->connection.replies() == client->sent && client->connection.send(client->commands)) {
        client->sent += kInFlight;
      }
      client->connection.is_idle();
      replies += client->connection.replies();
    }
    meter.read(replies);
    poll(entries.data(), entries.size(), 10);
  }
  std::cout << "hits_per_second " << static_cast<std::uint64_t>(meter.rate()) << '\n';
  return 0;
}

}  // namespace
}  // namespace hotkeyd

int main(int argc, char** argv) {
  hotkeyd::Options options;
  CLI::App app("Measures how many rows a second a hotkeyd takes.");
  app.add_option("--socket", options.socket, "path of the daemon's unix socket")->required();
  app.add_option("--seconds", options.seconds, "how long");
  app.add_option("--rows-total", options.rows_total, "stop after so many rows");
  app.add_option("--rows", options.ring.rows, "rows of a batch")->check(CLI::Range(1, 10'000));
  app.add_option("--keys", options.ring.keys, "distinct keys");
  app.add_option("--zipf", options.ring.zipf, "exponent of the Zipf law");
  app.add_flag("--new-keys", options.ring.new_keys, "every key is new");
  app.add_option("--offer", options.offer, "rows a second to offer; what does not fit is dropped");
  app.add_flag("--hit", options.hit, "HOTKEY HIT instead of REPORT");
  app.add_option("--connections", options.connections, "connections of --hit");
  app.add_option("--ns", options.ring.ns, "namespace");
  CLI11_PARSE(app, argc, argv);
  options.ring.producer = "report_load/" + std::to_string(getpid());
  options.ring.epoch = static_cast<std::uint64_t>(hotkeyd::read_clocks().unix_ms);
  return options.hit ? hotkeyd::hit(options) : hotkeyd::report(options);
}
