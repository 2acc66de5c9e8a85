// top: in place on a terminal, a table a second in a pipe.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "cli/ctl_session.h"
#include "cli/terminal.h"
#include "cli/top_feed.h"
#include "cli/top_frame.h"
#include "cli/verbs.h"

namespace hotkeyd {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t kKeysInTable = 20;
constexpr milliseconds kEscapeWait{50};
constexpr seconds kRedrawEvery{1};

int timeout_until(Time wake) {
  return static_cast<int>(std::clamp<std::int64_t>(to_ms(wake - Clock::now()) + 1, 1, to_ms(kRedrawEvery)));
}

// A sample or the end of the feed for each turn of a program that only prints.
class TopPrinter {
 public:
  explicit TopPrinter(const CtlCommandLine& line) : line_(line), feed_(line.daemon, line.ns) {}

  int run() {
    while (true) {
      if (const auto sample = feed_.step(read_clocks())) print(*sample);
      if (line_.count && printed_ >= *line_.count) return ctl_exit_done;
      complain_once();
      if (feed_.ended()) return *feed_.ended();
      pollfd daemon{feed_.descriptor(), POLLIN, 0};
      poll(&daemon, 1, timeout_until(feed_.wake()));
    }
  }

 private:
  // The first sample only opens the rate of the second.
  void print(const TopSample& sample) {
    if (!std::exchange(is_primed_, true)) return;
    std::cout << (line_.json ? top_json(sample) : top_table(sample, kKeysInTable)) << std::flush;
    ++printed_;
  }

  void complain_once() {
    const std::string trouble = feed_.trouble(Clock::now());
    const bool is_new = !trouble.empty() && (trouble_.empty() || feed_.ended());
    if (is_new) complain(trouble);
    trouble_ = trouble;
  }

  const CtlCommandLine& line_;
  TopFeed feed_;
  std::string trouble_;
  bool is_primed_ = false;
  std::uint64_t printed_ = 0;
};

class TopScreen {
 public:
  explicit TopScreen(const CtlCommandLine& line) : line_(line), feed_(line.daemon, line.ns) {}

  // What the program exits with; `signal_` is set where a signal ended it.
  int run() {
    feed_.step(read_clocks());
    if (feed_.ended()) return finish();
    {
      Terminal terminal;
      while (is_running()) turn(terminal);
    }
    return finish();
  }

 private:
  bool is_running() const {
    const bool has_enough = line_.count && samples_ >= *line_.count;
    return !feed_.ended() && !view_.is_done && signal_ == 0 && !has_enough;
  }

  void turn(Terminal& terminal) {
    const Now now = read_clocks();
    if (auto sample = feed_.step(now)) {
      view_ = sampled(std::move(view_), std::move(*sample));
      ++samples_;
    }
    view_.trouble = feed_.trouble(now.steady);
    draw(terminal);
    wait(terminal);
  }

  void draw(Terminal& terminal) {
    const ScreenSize size = terminal.size();
    view_.page = keys_that_fit(size);
    std::string bytes = screen_bytes(top_frame(view_, size));
    if (bytes == drawn_) return;
    terminal.show(bytes);
    drawn_ = std::move(bytes);
  }

  void wait(Terminal& terminal) {
    std::array<pollfd, 3> wanted{
        {{STDIN_FILENO, POLLIN, 0}, {terminal.signals(), POLLIN, 0}, {feed_.descriptor(), POLLIN, 0}}};
    const int patience =
        keys_.is_waiting() ? static_cast<int>(kEscapeWait.count()) : timeout_until(feed_.wake());
    const int ready = poll(wanted.data(), wanted.size(), patience);
    if (wanted[0].revents != 0 && ready > 0) {
      take_keys(terminal);
    } else if (keys_.is_waiting()) {
      press(keys_.idle());
    }
    while (const int signal = terminal.take_signal()) take_signal(signal, terminal);
  }

  void take_keys(Terminal& terminal) {
    const auto bytes = terminal.read_keys();
    if (!bytes) {
      view_.is_done = true;
      return;
    }
    press(keys_.read(*bytes));
  }

  void press(const std::vector<KeyPress>& presses) {
    for (const KeyPress& one : presses) view_ = pressed(std::move(view_), one);
  }

  void take_signal(int signal, Terminal& terminal) {
    drawn_.clear();
    if (signal == SIGTSTP) terminal.suspend();
    if (signal == SIGINT) view_.is_done = true;
    if (signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT) signal_ = signal;
  }

  int finish() const {
    if (signal_ != 0) raise(signal_);  // The terminal is as it was: end as whoever sent it expects.
    if (!feed_.ended()) return ctl_exit_done;
    complain(feed_.trouble(Clock::now()));
    return *feed_.ended();
  }

  const CtlCommandLine& line_;
  TopFeed feed_;
  KeyReader keys_;
  TopView view_;
  std::string drawn_;
  std::uint64_t samples_ = 0;
  int signal_ = 0;
};

}  // namespace

int run_top(const CtlCommandLine& line) {
  try {
    const bool is_live = Terminal::is_there() && !line.json;
    return is_live ? TopScreen(line).run() : TopPrinter(line).run();
  } catch (const std::exception& error) {
    complain(error.what());  // The terminal was given back on the way here.
    return ctl_exit_refused;
  }
}

}  // namespace hotkeyd
