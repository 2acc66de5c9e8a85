// sdk_jump: how long until every process of an application knows that a key jumped.
//
//   sdk_jump --socket PATH [--processes 4] [--rate 50000] [--jumps 200]
// Each jump is a new key that all processes begin to read at the same moment, at `rate` over all of them,
// until the SDK's is_hot says true. Its time runs from the first access of any process to the last process
// that knows. Jumps do not fall into step with the SDK's flush interval. Prints "name value" lines, in
// microseconds.
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <iostream>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "bench/support/shared_memory.h"
#include "hotkey/client.h"

namespace hotkeyd {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

struct Options {
  std::string socket;
  std::size_t processes = 4;
  std::uint64_t rate = 50'000;  // Over all processes.
  std::size_t jumps = 200;
  std::uint64_t interval_ms = 157;
};

// Steady time in nanoseconds, 0 while it did not happen; shared by all processes.
struct Note {
  std::atomic<std::int64_t> first_access{0};
  std::atomic<std::int64_t> known{0};
};

std::int64_t now_ns() { return Clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

// Reads the key at this process's part of the rate until it is known as hot, at most half a second.
void jump(hotkey::Client& client, const std::string& key, double rate, Note& note) {
  const Time begin = Clock::now();
  std::uint64_t recorded = 0;
  note.first_access = now_ns();
  while (!client.is_hot(key)) {
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    if (elapsed > 0.5) return;
    for (; static_cast<double>(recorded) <= elapsed * rate; ++recorded) client.record_read(key, 100);
    std::this_thread::sleep_for(microseconds(100));
  }
  note.known = now_ns();
}

void run_process(const Options& options, std::span<Note> notes, std::atomic<std::size_t>& ready,
                 const std::atomic<std::int64_t>& begin) {
  hotkey::Client client({.endpoint = "unix://" + options.socket, .app = "sdk_jump", .ns = "bench"});
  while (client.status().state != hotkey::Status::State::connected)
    std::this_thread::sleep_for(milliseconds(1));
  client.record_read("warm");
  client.flush(milliseconds(1000));
  ++ready;
  while (begin == 0) std::this_thread::sleep_for(milliseconds(1));
  const Time start{std::chrono::nanoseconds(begin)};
  for (std::size_t i = 0; i < options.jumps; ++i) {
    std::this_thread::sleep_until(start + milliseconds(i * options.interval_ms));
    const double rate = static_cast<double>(options.rate) / static_cast<double>(options.processes);
    jump(client, "jump:" + std::to_string(i), rate, notes[i]);
  }
}

// The time of each jump that all processes came to know, sorted.
std::vector<std::int64_t> times_of(const Options& options, std::span<const Note> notes) {
  std::vector<std::int64_t> times;
  for (std::size_t i = 0; i < options.jumps; ++i) {
    std::int64_t first = INT64_MAX;
    std::int64_t last = 0;
    bool all = true;
    for (std::size_t process = 0; process < options.processes; ++process) {
      const Note& note = notes[process * options.jumps + i];
      first = std::min(first, note.first_access.load());
      last = std::max(last, note.known.load());
      all = all && note.known != 0;
    }
    if (all) times.push_back((last - first) / 1000);
  }
  std::sort(times.begin(), times.end());
  return times;
}

int run(const Options& options) {
  const auto notes = share<Note>(options.processes * options.jumps);
  auto& ready = share<std::atomic<std::size_t>>(1)[0];
  auto& begin = share<std::atomic<std::int64_t>>(1)[0];
  for (std::size_t process = 0; process < options.processes; ++process) {
    if (fork() != 0) continue;
    run_process(options, notes.subspan(process * options.jumps, options.jumps), ready, begin);
    _exit(0);
  }
  for (int waited = 0; ready < options.processes && waited < 10'000; ++waited)
    std::this_thread::sleep_for(milliseconds(1));
  begin = now_ns() + 200'000'000;
  while (wait(nullptr) > 0) continue;
  const auto times = times_of(options, notes);
  std::cout << "jumps_known " << times.size() << '\n';
  for (const auto& [label, share] : {std::pair{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"max", 1.0}}) {
    if (times.empty()) break;
    const auto at = static_cast<std::size_t>(share * static_cast<double>(times.size()));
    std::cout << "known_" << label << "_us " << times[std::min(at, times.size() - 1)] << '\n';
  }
  return times.size() == options.jumps ? 0 : 1;
}

}  // namespace
}  // namespace hotkeyd

int main(int argc, char** argv) {
  hotkeyd::Options options;
  CLI::App app("Measures how long until every process knows that a key jumped.");
  app.add_option("--socket", options.socket, "path of the daemon's unix socket")->required();
  app.add_option("--processes", options.processes, "processes with an SDK each")->check(CLI::Range(1, 64));
  app.add_option("--rate", options.rate, "accesses a second over all processes");
  app.add_option("--jumps", options.jumps, "keys that jump, one after the other");
  app.add_option("--interval-ms", options.interval_ms, "between jumps");
  CLI11_PARSE(app, argc, argv);
  return hotkeyd::run(options);
}
