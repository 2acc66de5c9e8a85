// compare_load: the application of bench/compare. Reads a real Redis, tells an SDK if asked to, and counts
// exactly itself, so that every way to find hot keys is judged by the truth of the very traffic it saw.
//
//   compare_load --redis PORT [--socket PATH] [--rate 30000] [--seconds 6] [--keys 100000] [--threshold 1000]
// Reads are pipelined STRLEN of keys k:0, k:1, ... (Zipf 0.9, seeded). A third into the run five keys of the
// tail, which nobody read so far, become hot: each gets 5 % of all reads. With --rate 0 it reads as fast as
// Redis answers. Prints `reads N`, `seconds S`, `cpu S` (its own), and for each key that came near the
// threshold `key NAME MAXIMUM CROSSED`: its largest count in a window of ten slots of 100 ms, and the Unix ms
// at which the count reached the threshold (0: never).
#include <CLI/CLI.hpp>
#include <chrono>
#include <ctime>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "bench/support/load_connection.h"
#include "hotkey/client.h"
#include "resp/writer.h"
#include "tests/support/zipf.h"

namespace hotkeyd {
namespace {

struct Options {
  std::string redis;
  std::string socket;
  double rate = 30'000;
  double seconds = 6;
  std::size_t keys = 100'000;
  std::uint32_t threshold = 1000;
};

constexpr std::size_t kSlots = 10;
constexpr std::size_t kSudden = 5;
constexpr std::size_t kBatchMax = 512;  // Reads under way.

// Exact counts of all keys over the last ten slots.
class Truth {
 public:
  Truth(std::size_t keys, std::uint32_t threshold)
      : threshold_(threshold), sums_(keys), maxima_(keys), crossed_(keys) {}

  void count(std::size_t key) {
    ++ring_[slot_ % kSlots][key];
    const std::uint32_t sum = ++sums_[key];
    maxima_[key] = std::max(maxima_[key], sum);
    if (sum == threshold_ && crossed_[key] == 0) crossed_[key] = read_clocks().unix_ms;
  }

  void advance_to(std::size_t slot) {
    while (slot_ < slot) {
      auto& oldest = ring_[++slot_ % kSlots];
      for (const auto& [key, count] : oldest) sums_[key] -= count;
      oldest.clear();
    }
  }

  void print() const {
    for (std::size_t key = 0; key < maxima_.size(); ++key) {
      if (maxima_[key] < threshold_ / 2) continue;
      std::cout << "key k:" << key << ' ' << maxima_[key] << ' ' << crossed_[key] << '\n';
    }
  }

 private:
  std::uint32_t threshold_;
  std::size_t slot_ = 0;
  std::vector<std::uint32_t> sums_;
  std::vector<std::uint32_t> maxima_;
  std::vector<UnixMs> crossed_;
  std::unordered_map<std::size_t, std::uint32_t> ring_[kSlots];
};

// Which key each read is for, drawn before the clock runs.
class Traffic {
 public:
  explicit Traffic(std::size_t keys) : keys_(keys) {
    Zipf zipf(keys - kSudden, 0.9, 7);
    for (auto& draw : draws_) draw = zipf.draw();
  }

  std::size_t next(bool sudden) {
    ++reads_;
    if (sudden && reads_ % 4 == 0) return keys_ - 1 - reads_ / 4 % kSudden;
    return draws_[reads_ % draws_.size()];
  }

 private:
  std::size_t keys_;
  std::uint64_t reads_ = 0;
  std::vector<std::size_t> draws_ = std::vector<std::size_t>(1 << 20);
};

class Shopper {
 public:
  explicit Shopper(const Options& options)
      : options_(options),
        redis_(options.redis),
        traffic_(options.keys),
        truth_(options.keys, options.threshold) {
    for (std::size_t key = 0; key < options.keys; ++key) names_.push_back("k:" + std::to_string(key));
    if (!options.socket.empty()) connect();
  }

  void run() {
    const Time begin = Clock::now();
    for (double passed = 0; passed < options_.seconds;) {
      passed = std::chrono::duration<double>(Clock::now() - begin).count();
      truth_.advance_to(static_cast<std::size_t>(passed * kSlots));
      const std::uint64_t due =
          options_.rate > 0 ? static_cast<std::uint64_t>(passed * options_.rate) : reads_ + kBatchMax;
      if (due > reads_)
        read(std::min<std::uint64_t>(due - reads_, kBatchMax), passed > options_.seconds / 3);
      else
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const double passed = std::chrono::duration<double>(Clock::now() - begin).count();
    std::cout << "reads " << reads_ << "\nseconds " << passed << "\ncpu "
              << static_cast<double>(std::clock()) / CLOCKS_PER_SEC - cpu_before_ << '\n';
    truth_.print();
  }

 private:
  void connect() {
    client_ = std::make_unique<hotkey::Client>(
        hotkey::Options{.endpoint = "unix://" + options_.socket, .app = "compare", .ns = "shop"});
    const Time end = Clock::now() + std::chrono::seconds(10);
    while (client_->status().state != hotkey::Status::State::connected) {
      if (Clock::now() > end) give_up("the daemon at " + options_.socket);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  void read(std::uint64_t count, bool sudden) {
    request_.clear();
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::size_t key = traffic_.next(sudden && options_.rate > 0);
      append_command(request_, {"STRLEN", names_[key]});
      truth_.count(key);
      if (client_) client_->record_read(names_[key], 100);
    }
    reads_ += count;
    if (!redis_.send(request_)) give_up("redis takes nothing");
    while (!redis_.is_idle() || redis_.replies() < reads_) {
      redis_.wait(1000, false);
      redis_.read_replies();
    }
  }

  Options options_;
  LoadConnection redis_;
  Traffic traffic_;
  Truth truth_;
  std::vector<std::string> names_;
  std::unique_ptr<hotkey::Client> client_;
  std::string request_;
  std::uint64_t reads_ = 0;
  double cpu_before_ = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
};

}  // namespace
}  // namespace hotkeyd

int main(int argc, char** argv) {
  hotkeyd::Options options;
  CLI::App app("Reads a Redis, tells an SDK if asked to, and counts exactly.");
  app.add_option("--redis", options.redis, "port of the Redis on 127.0.0.1")->required();
  app.add_option("--socket", options.socket, "path of the daemon's unix socket; none: no SDK");
  app.add_option("--rate", options.rate, "reads a second; 0: as fast as it goes");
  app.add_option("--seconds", options.seconds, "how long");
  app.add_option("--keys", options.keys, "keys, at least 1000")->check(CLI::Range(1000, 10'000'000));
  app.add_option("--threshold", options.threshold, "reads in a window that make a key hot")
      ->check(CLI::Range(2, 1'000'000'000));
  CLI11_PARSE(app, argc, argv);
  hotkeyd::Shopper(options).run();
  return 0;
}
