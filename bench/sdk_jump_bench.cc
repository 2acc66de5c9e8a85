// How long a sudden key stays unknown: from its first access until is_hot is true in every one of four
// processes.
//
//   build/release/bench/sdk_jump_bench ENDPOINT [ROUNDS]
// Needs a running daemon whose rules promote at 1000/s. Each round a new key jumps from nothing to 50,000/s,
// a quarter of it in each process. Prints the median, p99 and largest delay of the last process to know.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "hotkey/client.h"

namespace {

using Clock = std::chrono::steady_clock;  // One clock for all processes of a host.
using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::size_t kProcesses = 4;
constexpr std::int64_t kReadsPerMs = 50 / kProcesses + 1;
constexpr milliseconds kRoundMax{1000};

// In memory shared by all processes.
struct Board {
  std::atomic<std::int64_t> round{0};  // 0: between rounds; -1: over.
  std::atomic<std::int64_t> start_us{0};
  std::array<std::atomic<std::int64_t>, kProcesses> delay_us{};  // -1 while unknown.
  std::atomic<std::size_t> connected{0};
  std::atomic<std::size_t> playing{0};
};

std::int64_t now_us() {
  return std::chrono::duration_cast<microseconds>(Clock::now().time_since_epoch()).count();
}

Clock::time_point at_us(std::int64_t us) { return Clock::time_point(microseconds(us)); }

void play_round(hotkey::Client& client, Board& board, std::size_t process, std::int64_t round) {
  const std::string key = "jump:" + std::to_string(::getppid()) + ":" + std::to_string(round);
  ++board.playing;
  const std::int64_t start = board.start_us;
  for (std::int64_t ms = 0; board.round == round; ++ms) {
    std::this_thread::sleep_until(at_us(start + ms * 1000));
    for (std::int64_t i = 0; i < kReadsPerMs; ++i) client.record_read(key, 148);
    if (board.delay_us[process] < 0 && client.is_hot(key)) board.delay_us[process] = now_us() - start;
  }
  --board.playing;
}

void run_process(const char* endpoint, Board& board, std::size_t process) {
  hotkey::Client client({.endpoint = endpoint, .app = "jump", .ns = "bench"});
  while (client.status().state != hotkey::Status::State::connected)
    std::this_thread::sleep_for(milliseconds(1));
  ++board.connected;
  for (std::int64_t played = 0; board.round >= 0;) {
    const std::int64_t round = board.round;
    if (round > played) play_round(client, board, process, played = round);
    std::this_thread::sleep_for(milliseconds(1));
  }
}

// The delay of the last process, in milliseconds; kRoundMax if one never knew.
double measure(Board& board, std::int64_t round) {
  for (auto& delay : board.delay_us) delay = -1;
  board.start_us = now_us() + 20'000 + (round * 37 % 100) * 1000;  // Anywhere in a flush interval.
  board.round = round;
  const auto knows = [](const std::atomic<std::int64_t>& delay) { return delay >= 0; };
  const Clock::time_point end = at_us(board.start_us) + kRoundMax;
  while (Clock::now() < end && !std::all_of(board.delay_us.begin(), board.delay_us.end(), knows)) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  board.round = 0;
  while (board.playing > 0) std::this_thread::sleep_for(milliseconds(1));
  double last = 0;
  for (const auto& delay : board.delay_us) {
    last = std::max(
        last, knows(delay) ? static_cast<double>(delay) / 1000 : static_cast<double>(kRoundMax.count()));
  }
  return last;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: sdk_jump_bench ENDPOINT [ROUNDS]\n"), 64;
  void* memory = ::mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 70;
  Board& board = *new (memory) Board;
  for (std::size_t process = 0; process < kProcesses; ++process) {
    if (::fork() != 0) continue;
    run_process(argv[1], board, process);
    ::_exit(0);
  }
  while (board.connected < kProcesses) std::this_thread::sleep_for(milliseconds(1));
  std::vector<double> delays;
  const int rounds = argc > 2 ? std::max(1, std::atoi(argv[2])) : 100;
  for (int round = 1; round <= rounds; ++round) delays.push_back(measure(board, round));
  board.round = -1;
  while (::wait(nullptr) > 0) continue;
  std::sort(delays.begin(), delays.end());
  const auto percentile = [&](std::size_t p) {
    return delays[std::min(delays.size() - 1, delays.size() * p / 100)];
  };
  std::printf(
      "first access -> is_hot in %zu processes, %d rounds: median %.1f ms, p99 %.1f ms, largest %.1f ms\n",
      kProcesses, rounds, percentile(50), percentile(99), delays.back());
}
