#include "daemon/process_signals.h"

#include <pthread.h>

#include <csignal>
#include <cstdlib>
#include <initializer_list>

#include "daemon/exit_code.h"

namespace hotkeyd {

void begin_with_signals() {
  for (const int stop : {SIGTERM, SIGINT}) std::signal(stop, [](int) { std::_Exit(exit_done); });
  std::signal(SIGHUP, SIG_IGN);
}

void default_signals() {
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) std::signal(number, SIG_DFL);
}

void hold_signals_back() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, number);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

}  // namespace hotkeyd
