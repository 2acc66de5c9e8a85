// near_shop: what the near cache does for a hot key, with real values in a real Redis.
//
//   near_shop --socket PATH --redis PORT [--processes 4] [--rate 16000] [--seconds 3] [--writes 100]
//   [--values]
// Reads with the kill switch on (nothing is hot: every read reaches Redis), then ends it, and reads again;
// then writes new values, some alone, most followed by `client.invalidate`. Reads that reach Redis are
// counted by Redis (INFO commandstats). Prints lines for people, or "name value" lines; ends with 1 when it
// did not see what the near cache promises.
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/text.h"
#include "bench/support/ask.h"
#include "bench/support/shared_memory.h"
#include "bench/support/shop.h"
#include "bench/support/shop_report.h"
#include "hotkey/client.h"

namespace hotkeyd {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kPatience{10};
constexpr milliseconds kAloneMax{2000};  // Twice the ttl of the rule.

void start_processes(const ShopOptions& options, const ShopBoard& board, std::span<ShopNotes> notes) {
  for (ShopNotes& one : notes) {
    if (fork() != 0) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    run_shop_process(options, board, one);
    _exit(0);
  }
}

// Until all processes say so; ends the program when they do not.
void wait_for(std::span<const ShopNotes> notes, const std::function<bool(const ShopNotes&)>& says,
              const char* what) {
  const Time deadline = Clock::now() + kPatience;
  while (!std::all_of(notes.begin(), notes.end(), says)) {
    if (Clock::now() > deadline) give_up(std::string("within 10 s not all processes ") + what);
    std::this_thread::sleep_for(milliseconds(1));
  }
}

class Director {
 public:
  Director(const ShopOptions& options, ShopBoard& board, std::span<ShopNotes> notes)
      : options_(options),
        board_(board),
        notes_(notes),
        redis_(options.redis),
        client_({.endpoint = "unix://" + options.socket, .app = "shop-office", .ns = kShopNamespace}) {}

  ShopFigures run() {
    wait_for(
        notes_, [](const ShopNotes& one) { return one.is_ready.load(); }, "came to the daemon");
    ask(options_.socket, {"HOTKEY", "DISABLE", kShopNamespace});
    wait_for(
        notes_, [](const ShopNotes& one) { return !one.knows; }, "forgot what was hot");
    measure(ShopPhase::before, figures_.before_reads, figures_.before_redis);
    end_kill_switch();
    measure(ShopPhase::after, figures_.after_reads, figures_.after_redis);
    figures_.hit_ratio = static_cast<double>(sum(&ShopNotes::hits, ShopPhase::after)) /
                         static_cast<double>(sum(&ShopNotes::wanted_reads, ShopPhase::after));
    board_.phase = ShopPhase::writing;
    write_alone();
    write_and_invalidate();
    board_.phase = ShopPhase::done;
    while (wait(nullptr) > 0) continue;
    conclude();
    return figures_;
  }

 private:
  using Counts = std::array<std::atomic<std::uint64_t>, 6>;

  std::uint64_t sum(Counts ShopNotes::*counts, ShopPhase phase) const {
    std::uint64_t sum = 0;
    for (const ShopNotes& one : notes_) sum += (one.*counts)[static_cast<std::size_t>(phase)];
    return sum;
  }

  // Reads of the wanted product that Redis has answered since its start.
  std::uint64_t answered_by_redis() {
    const std::string info = redis_.ask({"INFO", "commandstats"}).text;
    constexpr std::string_view kName = "cmdstat_hget:calls=";
    const std::size_t at = info.find(kName);
    if (at == std::string::npos) return 0;
    const std::string_view rest = std::string_view(info).substr(at + kName.size());
    return parse_unsigned(rest.substr(0, rest.find(','))).value_or(0);
  }

  void measure(ShopPhase phase, double& reads, double& redis) {
    board_.phase = phase;
    const Time begin = Clock::now();
    const std::uint64_t reads_before = sum(&ShopNotes::wanted_reads, phase);
    const std::uint64_t answered_before = answered_by_redis();
    std::this_thread::sleep_for(seconds(options_.seconds));
    const auto answered = static_cast<double>(answered_by_redis() - answered_before);
    const auto made = static_cast<double>(sum(&ShopNotes::wanted_reads, phase) - reads_before);
    const double passed = std::chrono::duration<double>(Clock::now() - begin).count();
    reads = made / passed;
    redis = answered / passed;
  }

  void end_kill_switch() {
    board_.phase = ShopPhase::settling;
    const Time begin = Clock::now();
    ask(options_.socket, {"HOTKEY", "ENABLE", kShopNamespace});
    wait_for(
        notes_, [](const ShopNotes& one) { return one.knows.load(); }, "learned that the product is hot");
    figures_.known_ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  }

  void write() {
    redis_.ask({"HSET", kWantedKey, kWantedField, page_of(++version_)});
    client_.record_write(kWantedKey);
  }

  void write_alone() {
    const std::uint64_t first = version_ + 1;
    std::vector<std::int64_t> sent;
    for (std::size_t i = 0; i < options_.plain_writes; ++i) {
      write();
      sent.push_back(steady_ns());
      wait_until_seen(kAloneMax);
    }
    figures_.alone_ms = delays_ms(notes_, first, sent);
  }

  void write_and_invalidate() {
    const std::uint64_t first = version_ + 1;
    std::vector<std::int64_t> sent;
    for (std::size_t i = 0; i < options_.writes; ++i) {
      write();
      sent.push_back(steady_ns());
      client_.invalidate(kWantedKey);
      std::this_thread::sleep_for(milliseconds(options_.interval_ms));
    }
    wait_until_seen(kAloneMax);
    figures_.gone_ms = delays_ms(notes_, first, sent);
    figures_.writes = options_.writes;
  }

  void wait_until_seen(milliseconds patience) const {
    const Time deadline = Clock::now() + patience;
    const auto sees = [this](const ShopNotes& one) { return one.seen_ns[version_] != 0; };
    while (!std::all_of(notes_.begin(), notes_.end(), sees) && Clock::now() < deadline)
      std::this_thread::sleep_for(milliseconds(1));
  }

  void conclude() {
    figures_.before_p99_us = p99_us(notes_, 0);
    figures_.after_p99_us = p99_us(notes_, 1);
    for (const ShopNotes& one : notes_) figures_.went_back += one.went_back;
  }

  const ShopOptions& options_;
  ShopBoard& board_;
  std::span<ShopNotes> notes_;
  AskConnection redis_;
  hotkey::Client client_;
  ShopFigures figures_;
  std::uint64_t version_ = 1;
};

void fill_redis(const ShopOptions& options) {
  AskConnection redis(options.redis);
  redis.ask({"HSET", kWantedKey, kWantedField, page_of(1)});
  for (std::size_t i = 0; i < kOtherKeys; ++i) redis.ask({"SET", other_key(i), page_of(1)});
}

int run(const ShopOptions& options, bool prints_values) {
  fill_redis(options);
  const auto notes = share<ShopNotes>(options.processes);
  auto& board = share<ShopBoard>(1)[0];
  start_processes(options, board, notes);
  const ShopFigures figures = Director(options, board, notes).run();
  std::cout << (prints_values ? shop_values(figures) : shop_text(figures));
  auto broken = broken_promises(figures);
  for (const ShopNotes& one : notes) {
    if (one.failed) broken.emplace_back("a value was not found in Redis");
  }
  for (const std::string& sentence : broken) std::cerr << "near_shop: " << sentence << '\n';
  return broken.empty() ? 0 : 1;
}

}  // namespace
}  // namespace hotkeyd

int main(int argc, char** argv) {
  hotkeyd::ShopOptions options;
  bool prints_values = false;
  const auto writes_max = static_cast<int>(hotkeyd::ShopNotes::kVersionsMax) - 100;
  CLI::App app("Shows and measures what the near cache does for a hot key of a Redis.");
  app.add_option("--socket", options.socket, "path of the daemon's unix socket")->required();
  app.add_option("--redis", options.redis, "port of the Redis on 127.0.0.1")->required();
  app.add_option("--processes", options.processes, "processes that read")->check(CLI::Range(1, 64));
  app.add_option("--rate", options.rate, "reads a second of all of them")->check(CLI::Range(100, 1'000'000));
  app.add_option("--seconds", options.seconds, "each measurement")->check(CLI::Range(1, 60));
  app.add_option("--writes", options.writes, "with an invalidation")->check(CLI::Range(1, writes_max));
  app.add_option("--interval-ms", options.interval_ms, "between them")->check(CLI::Range(1, 10'000));
  app.add_flag("--values", prints_values, "prints 'name value' lines");
  CLI11_PARSE(app, argc, argv);
  return hotkeyd::run(options, prints_values);
}
