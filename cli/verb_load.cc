// load: starts the application processes, listens to them and to the daemon, and tells what happens.
#include <algorithm>
#include <iostream>
#include <utility>

#include "base/clock.h"
#include "cli/ctl_session.h"
#include "cli/load_processes.h"
#include "cli/load_story.h"
#include "cli/verbs.h"

namespace hotkeyd {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kUntilStart{500};  // Until then every process has its connection.
constexpr seconds kTopEvery{2};
constexpr seconds kEndMax{10};  // After the traffic: the last batches and figures.

std::int64_t in_ns(Time time) { return time.time_since_epoch().count(); }

class Load {
 public:
  explicit Load(const CtlCommandLine& line)
      : line_(line),
        start_(Clock::now() + kUntilStart),
        story_(line.load, in_ns(start_)),
        questions_(line.daemon),
        events_(line.daemon) {}

  int run() {
    if (!subscribe()) return events_.exit_code();
    if (!questions_.ask({"HOTKEY", "TOP", line_.ns, "1"})) return questions_.exit_code();
    if (auto started = processes_.start_all(line_, start_); !started) {
      return questions_.fail(ctl_exit_refused, started.error());
    }
    tell(story_.beginning());
    const int exit_code = follow();
    if (exit_code != ctl_exit_done) return exit_code;
    return finish();
  }

 private:
  bool subscribe() {
    DaemonConnection* const daemon = events_.connection();
    if (daemon == nullptr) return false;
    const std::string channel = "hotkey:events:" + line_.ns;
    const std::string_view subscribe[] = {"SUBSCRIBE", channel};
    const auto sent = daemon->send(subscribe);
    if (!sent) events_.fail(ctl_exit_unreachable, sent.error());
    return sent.has_value();
  }

  int follow() {
    Time next_top = start_ + kTopEvery;
    const Time end = start_ + line_.load.duration;
    while (!processes_.all_ended() && Clock::now() < end + kEndMax) {
      const int exit_code = read_events();
      if (exit_code != ctl_exit_done) return exit_code;
      tell(story_.passed(in_ns(Clock::now())));
      if (Clock::now() >= next_top && next_top <= end) {
        next_top += kTopEvery;
        if (!tell_top()) return questions_.exit_code();
      }
      const Time wake = std::min(next_top, Clock::now() + milliseconds(100));
      for (const auto& [process, note] :
           processes_.wait_for_notes(events_.connection()->descriptor(), wake)) {
        tell(story_.noted(process, note));
      }
    }
    return ctl_exit_done;
  }

  int read_events() {
    while (true) {
      const auto value = events_.connection()->receive(milliseconds(0));
      if (!value) return events_.fail(ctl_exit_unreachable, value.error());
      if (!*value) return ctl_exit_done;
      if ((*value)->is_error())
        return events_.fail(ctl_exit_refused, "the daemon refused: " + (*value)->text);
      if ((*value)->items.size() != 3 || (*value)->items[0].text != "message") continue;
      const auto event = decode_event((*value)->items[2].text);
      if (event) tell(story_.told(*event, in_ns(Clock::now())));
    }
  }

  bool tell_top() {
    const auto top = questions_.ask({"HOTKEY", "TOP", line_.ns, "3"});
    if (top) tell(story_.top(*top, in_ns(Clock::now())));
    return top.has_value();
  }

  void tell(const LoadStory::Lines& lines) const {
    if (line_.json) return;
    for (const std::string& text : lines) std::cout << text << "\n";
    std::cout.flush();
  }

  int finish() {
    tell(story_.summary());
    if (line_.json) std::cout << story_.summary_json() << "\n";
    if (story_.missing() == 0) return ctl_exit_done;
    complain(std::to_string(story_.missing()) + " of the load processes ended early, without their figures");
    return ctl_exit_refused;
  }

  const CtlCommandLine& line_;
  Time start_;
  LoadStory story_;
  CtlSession questions_;
  CtlSession events_;
  LoadProcesses processes_;
};

}  // namespace

int run_load(const CtlCommandLine& line) { return Load(line).run(); }

}  // namespace hotkeyd
