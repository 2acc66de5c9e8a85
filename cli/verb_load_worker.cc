// load-worker: one application process of `load`, with a client of the SDK of its own.
#include <hotkey/client.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/clock.h"
#include "cli/exit_code.h"
#include "cli/load_note.h"
#include "cli/load_traffic.h"
#include "cli/verbs.h"

namespace hotkeyd {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::microseconds kPause{500};
constexpr milliseconds kFlushMax{2000};

void tell(const LoadNote& note) {
  const std::string line = encode_note(note);  // Below PIPE_BUF: never mixed with another.
  const ssize_t written = write(STDOUT_FILENO, line.data(), line.size());
  if (written < 0) std::exit(ctl_exit_unreachable);  // Whoever listened is gone.
}

void tell(LoadNote::Kind kind, Time at) {
  LoadNote note;
  note.kind = kind;
  note.at_ns = at.time_since_epoch().count();
  tell(note);
}

void tell_trouble(std::string_view text) {
  LoadNote note;
  note.kind = LoadNote::Kind::trouble;
  note.text = text;
  tell(note);
}

void tell_figures(const hotkey::Stats& stats) {
  LoadNote note;
  note.recorded = stats.recorded;
  note.acknowledged = stats.acknowledged;
  note.dropped = stats.dropped;
  note.pending = stats.pending;
  tell(note);
}

// Notices when the key of the sale is accessed first, and when the SDK says that it is hot, and no longer.
class SaleWatch {
 public:
  SaleWatch(const hotkey::Client& client, const std::string& key) : client_(client), key_(key) {}

  void accessed() {
    if (is_told_) return;
    is_told_ = true;
    tell(LoadNote::Kind::first_access, Clock::now());
  }

  void look() {
    if (client_.is_hot(key_) == is_hot_) return;
    is_hot_ = !is_hot_;
    tell(is_hot_ ? LoadNote::Kind::hot : LoadNote::Kind::cold, Clock::now());
  }

 private:
  const hotkey::Client& client_;
  const std::string& key_;
  bool is_told_ = false;
  bool is_hot_ = false;
};

void make_accesses(hotkey::Client& client, LoadTraffic& traffic, LoadTraffic::Elapsed now, SaleWatch& sale) {
  for (std::uint64_t left = traffic.due(now); left > 0; --left) {
    const auto access = traffic.next(now);
    if (access.is_write) {
      client.record_write(access.key);
    } else {
      client.record_read(access.key);
    }
    if (access.is_sale) sale.accessed();
  }
}

void run_traffic(hotkey::Client& client, const CtlCommandLine& line) {
  const Time start{std::chrono::nanoseconds(line.start_ns)};
  const Time end = start + line.load.duration;
  LoadTraffic traffic(line.load, line.worker);
  SaleWatch sale(client, line.load.sale_key);
  std::this_thread::sleep_until(start);
  for (Time now = start; now < end; now = Clock::now()) {
    make_accesses(client, traffic, now - start, sale);
    if (line.load.sale_at) sale.look();
    std::this_thread::sleep_until(std::min(now + kPause, end));
  }
  make_accesses(client, traffic, line.load.duration, sale);
}

}  // namespace

int run_load_worker(const CtlCommandLine& line) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The environment would win over the options, but the command line has the last word here.
  for (const char* name : {"HOTKEY_ENDPOINT", "HOTKEY_NAMESPACE", "HOTKEY_APP"}) unsetenv(name);
  hotkey::Client client({.endpoint = line.socket, .app = "load", .ns = line.ns, .on_error = tell_trouble});
  run_traffic(client, line);
  client.flush(kFlushMax);
  tell_figures(client.stats());
  return ctl_exit_done;
}

}  // namespace hotkeyd
