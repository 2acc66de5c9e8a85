#include "cli/load_processes.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "cli/load_command_line.h"

namespace hotkeyd {
namespace {

constexpr char kThisProgram[] = "/proc/self/exe";
constexpr std::size_t kLineMax = 8192;

std::vector<std::string> worker_arguments(const CtlCommandLine& line, Time start, std::uint32_t number) {
  std::vector<std::string> arguments = {"hotkeyctl",
                                        "load-worker",
                                        "--socket=" + line.socket,
                                        "--ns=" + line.ns,
                                        "--worker=" + std::to_string(number),
                                        "--start-ns=" + std::to_string(start.time_since_epoch().count())};
  const auto load = load_arguments(line.load);
  arguments.insert(arguments.end(), load.begin(), load.end());
  return arguments;
}

// Starts this program with its standard output on the descriptor.
Result<pid_t> spawn(std::vector<std::string> arguments, int output) {
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t id = -1;
  const int failure = posix_spawn(&id, kThisProgram, &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return Error{std::string("cannot start a load process: ") + std::strerror(failure)};
  return id;
}

}  // namespace

LoadProcesses::~LoadProcesses() {
  for (const Process& process : processes_) {
    if (process.notes.is_open()) kill(process.id, SIGKILL);
    waitpid(process.id, nullptr, 0);
  }
}

Result<void> LoadProcesses::start_all(const CtlCommandLine& line, Time start) {
  for (std::uint32_t number = 0; number < line.load.processes; ++number) {
    if (auto started = start_one(line, start, number); !started) return started;
  }
  return {};
}

Result<void> LoadProcesses::start_one(const CtlCommandLine& line, Time start, std::uint32_t number) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
    return Error{std::string("pipe: ") + std::strerror(errno)};
  OwnedDescriptor reading(ends[0]);
  const OwnedDescriptor writing(ends[1]);
  fcntl(writing.number(), F_SETFL, 0);  // The worker waits rather than lose a note.
  const auto id = spawn(worker_arguments(line, start, number), writing.number());
  if (!id) return Error{id.error()};
  processes_.push_back({*id, std::move(reading), {}});
  return {};
}

bool LoadProcesses::all_ended() const {
  return std::none_of(processes_.begin(), processes_.end(),
                      [](const Process& one) { return one.notes.is_open(); });
}

std::vector<std::pair<std::size_t, LoadNote>> LoadProcesses::wait_for_notes(int other, Time deadline) {
  std::vector<pollfd> wanted;  // A negative descriptor is passed over.
  wanted.reserve(processes_.size() + 1);
  for (const Process& process : processes_) wanted.push_back({process.notes.number(), POLLIN, 0});
  wanted.push_back({other, POLLIN, 0});
  const auto left = std::clamp<std::int64_t>(to_ms(deadline - Clock::now()) + 1, 0, 60'000);
  std::vector<std::pair<std::size_t, LoadNote>> notes;
  if (poll(wanted.data(), wanted.size(), static_cast<int>(left)) <= 0) return notes;
  for (std::size_t number = 0; number < processes_.size(); ++number) {
    if (wanted[number].revents != 0) read_notes(number, notes);
  }
  return notes;
}

void LoadProcesses::read_notes(std::size_t number, std::vector<std::pair<std::size_t, LoadNote>>& notes) {
  Process& process = processes_[number];
  std::array<char, 4096> bytes;
  const ssize_t got = read(process.notes.number(), bytes.data(), bytes.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0 || process.line.size() > kLineMax) {
    process.notes = OwnedDescriptor();
    return;
  }
  process.line.append(bytes.data(), static_cast<std::size_t>(got));
  for (std::size_t end = 0; (end = process.line.find('\n')) != std::string::npos;
       process.line.erase(0, end + 1)) {
    if (auto note = decode_note(std::string_view(process.line).substr(0, end)))
      notes.emplace_back(number, std::move(*note));
  }
}

}  // namespace hotkeyd
