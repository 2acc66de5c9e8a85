// An application with the SDK for tests in Python: commands on standard input, one line of JSON each as the
// answer.
//
//   sdk_worker ENDPOINT NAMESPACE [FLUSH_MS]
//   traffic FIRST COUNT RATE     from now on RATE reads a second, in turn of key:FIRST .. key:FIRST+COUNT-1;
//   0: none burst COUNT DISTINCT         COUNT writes at once, of DISTINCT keys of hostile bytes stats the
//   client's, `calls` (what this program counted itself) and `balances`: whether
//                                recorded = acknowledged + dropped + pending held at every look
//   hot FIRST COUNT              the keys of these that are hot
//   flush MS | invalidate KEY | status
//   epoch                        of the daemon whose event came last; 0 before the first
//   fork [MS]                    a child records, flushes and tells its statistics; with MS while another
//   thread
//                                waits in flush(MS)
//
// Ends with its standard input.
#include <hotkey/client.h>
#include <hotkey/near_cache.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <thread>

namespace {

using Json = nlohmann::json;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kTick{5};
constexpr milliseconds kTtl{1000};
constexpr milliseconds kChildPatience{20'000};

std::string key(std::uint64_t number) { return "key:" + std::to_string(number); }
std::string hostile_key(std::uint64_t number) {
  return std::string("\0\r\n\xff*1", 6) + std::to_string(number);
}

// Everything that records, and the count of it.
class Traffic {
 public:
  explicit Traffic(hotkey::Client& client) : client_(client), near_(client), thread_([this] { run(); }) {}
  ~Traffic() {
    is_stopping_ = true;
    thread_.join();
  }
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

  void set(std::uint64_t first, std::uint64_t count, double rate, bool is_near) {
    const std::lock_guard lock(mutex_);
    is_near_ = is_near;
    first_ = first;
    count_ = count;
    rate_ = count == 0 ? 0 : rate;
  }
  void burst(std::uint64_t count, std::uint64_t distinct) {
    const std::lock_guard lock(mutex_);
    for (std::uint64_t i = 0; i < count; ++i) client_.record_write(hostile_key(i % distinct));
    calls_ += count;
  }
  bool invalidate(const std::string& name) {
    const std::lock_guard lock(mutex_);
    invalidated_[name] = Clock::now();
    return client_.invalidate(name);
  }
  void add_to(Json& out) {
    const std::lock_guard lock(mutex_);
    const hotkey::NearStats near = near_.stats();
    out["calls"] = calls_;
    out["hits"] = near.hits;
    out["loads"] = near.loads;
    out["too_old"] = too_old_;
  }
  bool balances() { return look() && balances_; }

 private:
  void run() {
    Clock::time_point before = Clock::now();
    for (double due = 0; !is_stopping_;) {
      std::this_thread::sleep_for(kTick);
      const auto now = Clock::now();
      const std::chrono::duration<double> passed = now - before;
      before = now;
      due = record(due, std::min(passed.count(), 1.0));
      if (!look()) balances_ = false;
    }
  }

  double record(double due, double seconds) {
    const std::lock_guard lock(mutex_);
    for (due += rate_ * seconds; due >= 1; --due) {
      read(key(first_ + turn_++ % count_));
      ++calls_;
    }
    return due;
  }

  void read(const std::string& name) {
    if (!is_near_) return client_.record_read(name, 100);
    const auto asked_at = Clock::now();
    const auto loaded_at = near_.get(name, [] { return std::optional(Clock::now()); });
    const auto invalidated = invalidated_.find(name);
    const bool is_undone = invalidated != invalidated_.end() && *loaded_at < invalidated->second;
    if (is_undone || asked_at - *loaded_at > kTtl) ++too_old_;
  }

  bool look() {
    const hotkey::Stats stats = client_.stats();
    return stats.recorded == stats.acknowledged + stats.dropped + stats.pending &&
           stats.pending <= stats.recorded;
  }

  hotkey::Client& client_;
  hotkey::NearCache<Clock::time_point> near_;
  std::mutex mutex_;
  std::map<std::string, Clock::time_point> invalidated_;
  bool is_near_ = false;
  std::uint64_t too_old_ = 0;
  std::uint64_t first_ = 0;
  std::uint64_t count_ = 0;
  double rate_ = 0;
  std::uint64_t turn_ = 0;
  std::uint64_t calls_ = 0;
  std::atomic<bool> balances_{true};
  std::atomic<bool> is_stopping_{false};
  std::thread thread_;
};

Json figures(const hotkey::Stats& stats) {
  return {{"recorded", stats.recorded},
          {"acknowledged", stats.acknowledged},
          {"dropped", stats.dropped},
          {"pending", stats.pending}};
}

Json stats(const hotkey::Client& client, Traffic& traffic) {
  Json out = figures(client.stats());
  traffic.add_to(out);
  out["balances"] = traffic.balances();
  return out;
}

Json hot(const hotkey::Client& client, std::istream& words) {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  words >> first >> count;
  Json out = Json::array();
  for (std::uint64_t i = first; i < first + count; ++i) {
    if (client.is_hot(key(i))) out.push_back(key(i));
  }
  return out;
}

// What the child did, as its exit code; its figures go through the pipe.
int in_child(hotkey::Client& client, int pipe) {
  const bool is_fresh = client.stats().recorded == 0;
  for (int i = 0; i < 100; ++i) client.record_read("child");
  const bool flushed = client.flush(kChildPatience);
  const std::string text = figures(client.stats()).dump();
  const bool told = ::write(pipe, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  return is_fresh && flushed && told ? 0 : 1;
}

Json fork_child(hotkey::Client& client) {
  int ends[2];
  if (::pipe(ends) != 0) return {{"error", "no pipe"}};
  const pid_t child = ::fork();
  if (child == 0) ::_exit(in_child(client, ends[1]));
  ::close(ends[1]);
  std::string text(4096, '\0');
  const ssize_t size = ::read(ends[0], text.data(), text.size());
  ::close(ends[0]);
  int status = -1;
  ::waitpid(child, &status, 0);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  Json out = Json::parse(text, nullptr, false);
  if (out.is_discarded()) out = Json::object();
  out["pid"] = child;
  out["exit"] = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out;
}

Json fork_while_flushing(hotkey::Client& client, milliseconds time) {
  std::atomic<bool> is_flushing{false};
  std::thread waiting([&] {
    is_flushing = true;
    client.flush(time);
  });
  while (!is_flushing) std::this_thread::yield();
  std::this_thread::sleep_for(time / 10);
  Json out = fork_child(client);
  waiting.join();
  return out;
}

Json answer(const std::string& line, hotkey::Client& client, Traffic& traffic,
            const std::atomic<std::uint64_t>& epoch) {
  std::istringstream words(line);
  std::string word;
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  double rate = 0;
  words >> word;
  if (word == "stats") return stats(client, traffic);
  if (word == "hot") return hot(client, words);
  if (word == "epoch") return epoch.load();
  if (word == "status")
    return client.status().state == hotkey::Status::State::connected ? "connected" : "connecting";
  const bool is_near = word == "near";
  if ((word == "traffic" || is_near) && words >> first >> second >> rate)
    return traffic.set(first, second, rate, is_near), true;
  if (word == "burst" && words >> first >> second && second > 0) return traffic.burst(first, second), true;
  if (word == "flush" && words >> first) return client.flush(milliseconds(first));
  if (word == "fork")
    return words >> first ? fork_while_flushing(client, milliseconds(first)) : fork_child(client);
  std::string name;
  if (word == "invalidate" && words >> name) return traffic.invalidate(name);
  return {{"error", "unknown command: " + line}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: sdk_worker ENDPOINT NAMESPACE [FLUSH_MS]\n";
    return 64;
  }
  hotkey::Client client({.endpoint = argv[1],
                         .app = "worker",
                         .ns = argv[2],
                         .flush_interval = milliseconds(argc > 3 ? std::stoi(argv[3]) : 50)});
  std::atomic<std::uint64_t> epoch{0};
  client.on_event([&](const hotkey::Event& event) {
    if (event.type != hotkey::EventType::interrupted) epoch = event.epoch;
  });
  Traffic traffic(client);
  std::cout << Json{{"pid", ::getpid()}} << std::endl;
  for (std::string line; std::getline(std::cin, line);)
    std::cout << answer(line, client, traffic, epoch) << std::endl;
  return 0;
}
