// event_latency: from the report that lifts a key over its threshold to its event at two subscribers.
//
//   event_latency --socket PATH --redis PORT [--probes 1000] [--background 1000000]
// The daemon needs the rules of bench/support/probe_traffic.h and a Redis publisher. One thread: it sends the
// background and the probes and reads both subscribers. Prints "name value" lines, in microseconds.
#include <sys/socket.h>

#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <vector>

#include "bench/support/load_connection.h"
#include "bench/support/probe_times.h"
#include "bench/support/probe_traffic.h"
#include "resp/reply_parser.h"
#include "resp/writer.h"

namespace hotkeyd {
namespace {

// Follows hotkey:events:<ns> and notes when the promotion of each probe came.
class Subscriber {
 public:
  Subscriber(const std::string& address, const ProbeOptions& options)
      : connection_(address), times_(options.probes) {
    append_command(request_, {"SUBSCRIBE", "hotkey:events:" + options.ring.ns});
    if (!connection_.send(request_)) give_up("subscribe");
    while (!is_subscribed_) {
      connection_.wait(1000, false);
      read({});
    }
  }

  void read(const std::vector<Time>& sent) {
    std::array<char, 65536> buffer;
    const ssize_t got = recv(connection_.fd(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got <= 0) return;
    parser_.feed({buffer.data(), static_cast<std::size_t>(got)});
    for (auto value = parser_.next(); value && *value; value = parser_.next()) take(**value, sent);
  }
  const ProbeTimes& times() const { return times_; }
  int fd() const { return connection_.fd(); }

 private:
  void take(const RespValue& value, const std::vector<Time>& sent) {
    is_subscribed_ = true;
    if (value.items.empty()) return;
    const std::string_view event = value.items.back().text;
    if (event.find("\"hotkey.promoted\"") == std::string_view::npos) return;
    constexpr std::string_view kSubject = "\"subject\":\"probe:";
    const std::size_t at = event.find(kSubject);
    if (at != std::string_view::npos) times_.came(event.substr(at + kSubject.size()), sent);
  }

  LoadConnection connection_;
  std::string request_;
  ReplyParser parser_;
  ProbeTimes times_;
  bool is_subscribed_ = false;
};

bool measure(const ProbeOptions& options, const std::string& redis) {
  ProbeTraffic traffic(options);
  Subscriber local(options.socket, options);
  Subscriber remote(redis, options);
  const auto receive = [&](const std::vector<Time>& sent) {
    local.read(sent);
    remote.read(sent);
    return local.times().is_complete() && remote.times().is_complete();
  };
  traffic.run({local.fd(), remote.fd()}, receive);
  traffic.print();
  local.times().print("local");
  remote.times().print("redis");
  return local.times().is_complete() && remote.times().is_complete();
}

}  // namespace
}  // namespace hotkeyd

int main(int argc, char** argv) {
  auto options = hotkeyd::make_probe_options("event_latency");
  std::string redis;
  CLI::App app("Measures the time from a report to the events it causes.");
  hotkeyd::add_probe_options(app, options);
  app.add_option("--redis", redis, "port (on 127.0.0.1) or path of the Redis it publishes to")->required();
  CLI11_PARSE(app, argc, argv);
  return hotkeyd::measure(options, redis) ? 0 : 1;
}
