// SIGTERM and SIGINT: the first begins the stop; what a further one does is decided here.
//
// A further SIGTERM changes nothing: the drain has a deadline of its own. A further SIGINT is a person who
// will not wait: the process ends at once with 70. Control thread.
#pragma once

#include <csignal>
#include <functional>
#include <string>
#include <utility>

#include "io/asio.h"

#include <boost/asio/signal_set.hpp>

namespace hotkeyd {

class StopSignals {
 public:
  StopSignals(asio::io_context& control, std::function<void(const std::string& name)> stop)
      : stop_(std::move(stop)), signals_(control, SIGINT, SIGTERM) {}

  void start();
  void cancel();

 private:
  void on_signal(int number);

  const std::function<void(const std::string& name)> stop_;
  asio::signal_set signals_;
  bool stopping_ = false;
};

}  // namespace hotkeyd
