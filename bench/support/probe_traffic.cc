#include "bench/support/probe_traffic.h"

#include <poll.h>

#include <iostream>

#include "resp/writer.h"

namespace hotkeyd {
namespace {

constexpr double kLeadSeconds = 2;
constexpr double kPatienceSeconds = 5;

double since(Time begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

}  // namespace

ProbeTraffic::ProbeTraffic(const ProbeOptions& options)
    : options_(options), ring_(options.ring), background_(options.socket), probes_(options.socket) {}

void ProbeTraffic::run(const std::vector<int>& fds, const Receive& receive) {
  const auto when = [this](std::size_t probe) {
    return kLeadSeconds + static_cast<double>(probe * options_.interval_ms) / 1000;
  };
  const Time begin = Clock::now();
  while (since(begin) < when(options_.probes) + kPatienceSeconds && !receive(sent_)) {
    send_background(since(begin));
    if (sent_.size() < options_.probes && since(begin) >= when(sent_.size())) send_probe();
    turn(fds);
  }
  background_rate_ = static_cast<double>(background_.sum()) / since(begin);
}

void ProbeTraffic::print() const {
  std::cout << "background_rows_per_second " << static_cast<std::uint64_t>(background_rate_) << '\n';
}

void ProbeTraffic::send_background(double seconds) {
  const auto due = static_cast<std::uint64_t>(seconds * static_cast<double>(options_.background));
  while (totals_.recorded < due && background_.is_idle()) {
    const ReportTotals after{totals_.recorded + options_.ring.rows, 0};
    if (!background_.send(ring_.prepare(seq_ + 1, after))) return;
    ring_.advance();
    totals_ = after;
    ++seq_;
  }
}

void ProbeTraffic::send_probe() {
  const std::string seq = std::to_string(sent_.size() + 1);
  const std::string key = "probe:" + std::to_string(sent_.size());
  probe_.clear();
  append_command(probe_, {"HOTKEY", "REPORT", options_.ring.ns, options_.ring.producer + "/probe", "1", seq,
                          "1", key, "1000", "0", "0", "0", "0"});
  sent_.push_back(Clock::now());
  if (!probes_.send(probe_)) give_up("probe");
}

void ProbeTraffic::turn(const std::vector<int>& fds) {
  std::vector<pollfd> entries{{.fd = background_.fd(), .events = POLLIN, .revents = 0},
                              {.fd = probes_.fd(), .events = POLLIN, .revents = 0}};
  for (const int fd : fds) entries.push_back({.fd = fd, .events = POLLIN, .revents = 0});
  poll(entries.data(), entries.size(), 1);
  background_.read_replies();
  probes_.read_replies();
}

}  // namespace hotkeyd
