#include "bench/support/probe_options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>

#include "base/clock.h"

namespace hotkeyd {

ProbeOptions make_probe_options(const std::string& program) {
  ProbeOptions options;
  options.ring.producer = program + '/' + std::to_string(getpid());
  options.ring.epoch = static_cast<std::uint64_t>(read_clocks().unix_ms);
  return options;
}

void add_probe_options(CLI::App& app, ProbeOptions& options) {
  app.add_option("--socket", options.socket, "path of the daemon's unix socket")->required();
  app.add_option("--probes", options.probes, "keys that jump over the threshold");
  app.add_option("--interval-ms", options.interval_ms, "between probes");
  app.add_option("--background", options.background, "rows a second of other keys");
  app.add_option("--ns", options.ring.ns, "namespace");
}

}  // namespace hotkeyd
