#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

namespace hotkeyd {
namespace {

// Alternate screen, no cursor, no wrapping; and the way back.
constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l\x1b[?7l";
constexpr std::string_view kLeave = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l";
constexpr unsigned kScreenMax = 10'000;

sigset_t handled_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP}) sigaddset(&set, signal);
  return set;
}

void write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // A terminal that is gone is noticed by reading.
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

bool Terminal::is_there() {
  const char* const kind = std::getenv("TERM");
  const bool is_dumb = kind != nullptr && std::string_view(kind) == "dumb";
  return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && !is_dumb;
}

Terminal::Terminal() {
  const sigset_t handled = handled_signals();
  sigprocmask(SIG_BLOCK, &handled, &mask_before_);
  signals_ = OwnedDescriptor(signalfd(-1, &handled, SFD_CLOEXEC | SFD_NONBLOCK));
  tcgetattr(STDIN_FILENO, &before_);
  take();
}

Terminal::~Terminal() {
  give_back();
  sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
}

void Terminal::take() {
  termios raw = before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | IEXTEN);
  raw.c_iflag &= ~static_cast<tcflag_t>(IXON);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  write_all(kEnter);
  is_taken_ = true;
}

void Terminal::give_back() {
  if (!is_taken_) return;
  is_taken_ = false;
  write_all(kLeave);
  tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

ScreenSize Terminal::size() const {
  winsize told{};
  const bool is_told = ioctl(STDOUT_FILENO, TIOCGWINSZ, &told) == 0 && told.ws_col > 0 && told.ws_row > 0;
  if (!is_told) return {};
  return {std::min<unsigned>(told.ws_col, kScreenMax), std::min<unsigned>(told.ws_row, kScreenMax)};
}

void Terminal::show(std::string_view bytes) { write_all(bytes); }

std::optional<std::string> Terminal::read_keys() {
  std::array<char, 1024> bytes;
  const ssize_t got = read(STDIN_FILENO, bytes.data(), bytes.size());
  if (got > 0) return std::string(bytes.data(), static_cast<std::size_t>(got));
  const bool is_there = got < 0 && (errno == EINTR || errno == EAGAIN);
  return is_there ? std::optional<std::string>("") : std::nullopt;
}

int Terminal::take_signal() {
  signalfd_siginfo told{};
  if (read(signals_.number(), &told, sizeof told) != sizeof told) return 0;
  return static_cast<int>(told.ssi_signo);
}

void Terminal::suspend() {
  give_back();
  raise(SIGSTOP);
  take();
}

}  // namespace hotkeyd
