// steady_load: what small producers lose while others flood the daemon.
//
//   steady_load --socket PATH [--clients 4] [--rate 20000] [--seconds 5] [--ns steady]
// Each client is an SDK client with a thread of its own that records at `rate` accesses a second over 500
// keys. Prints "name value" lines: the sums over the clients as the SDKs know them, and the worst client's
// share that was not acknowledged, in per cent.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "hotkey/client.h"

namespace hotkeyd {
namespace {

struct Options {
  std::string socket;
  std::string ns = "steady";
  std::size_t clients = 4;
  double rate = 20'000;
  double seconds = 5;
};

constexpr std::size_t kKeys = 500;

std::vector<std::string> make_keys() {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < kKeys; ++i) keys.push_back("steady:" + std::to_string(i));
  return keys;
}

// Records what is due each millisecond, then waits until it is known what became of it.
hotkey::Stats run_client(const Options& options, std::size_t number) {
  hotkey::Client client(
      {.endpoint = "unix://" + options.socket, .app = "steady" + std::to_string(number), .ns = options.ns});
  for (const Time end = Clock::now() + std::chrono::seconds(10);
       client.status().state != hotkey::Status::State::connected && Clock::now() < end;)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const std::vector<std::string> keys = make_keys();
  const Time begin = Clock::now();
  std::uint64_t recorded = 0;
  for (double passed = 0; passed < options.seconds;) {
    passed = std::chrono::duration<double>(Clock::now() - begin).count();
    for (; static_cast<double>(recorded) < passed * options.rate; ++recorded)
      client.record_read(keys[recorded % kKeys], 100);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  client.flush(std::chrono::seconds(30));
  return client.stats();
}

std::vector<hotkey::Stats> run_clients(const Options& options) {
  std::vector<hotkey::Stats> out(options.clients);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < options.clients; ++i)
    threads.emplace_back([&, i] { out[i] = run_client(options, i); });
  for (std::thread& thread : threads) thread.join();
  return out;
}

void print(const std::vector<hotkey::Stats>& all) {
  hotkey::Stats sum;
  double worst = 0;
  for (const hotkey::Stats& one : all) {
    sum.recorded += one.recorded;
    sum.acknowledged += one.acknowledged;
    sum.dropped += one.dropped;
    sum.pending += one.pending;
    const auto missing = static_cast<double>(one.recorded - one.acknowledged);
    worst = std::max(worst, 100 * missing / static_cast<double>(std::max<std::uint64_t>(one.recorded, 1)));
  }
  std::cout << "recorded " << sum.recorded << "\nacknowledged " << sum.acknowledged << "\ndropped "
            << sum.dropped << "\npending " << sum.pending << "\nworst_missing_percent " << worst << '\n';
}

}  // namespace
}  // namespace hotkeyd

int main(int argc, char** argv) {
  hotkeyd::Options options;
  CLI::App app("Records at a steady rate from several SDK clients and says what became of it.");
  app.add_option("--socket", options.socket, "path of the daemon's unix socket")->required();
  app.add_option("--ns", options.ns, "namespace");
  app.add_option("--clients", options.clients, "SDK clients")->check(CLI::Range(1, 1000));
  app.add_option("--rate", options.rate, "accesses a second of each");
  app.add_option("--seconds", options.seconds, "how long");
  CLI11_PARSE(app, argc, argv);
  hotkeyd::print(hotkeyd::run_clients(options));
  return 0;
}
