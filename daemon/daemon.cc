#include "daemon/daemon.h"

#include <atomic>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "base/hash.h"
#include "base/log.h"
#include "base/version.h"
#include "daemon/exit_code.h"
#include "daemon/publishers.h"
#include "detector/detector.h"
#include "io/asio.h"
#include "metrics/render.h"
#include "server/http_server.h"
#include "server/resp_server.h"

namespace hotkeyd {
namespace {

constexpr Duration kThreadStuckAfter = std::chrono::seconds{5};
constexpr std::size_t kRelaysMax = 10'000;  // Foreign invalidations on their way to the data thread.
constexpr Duration kNoteInterval = std::chrono::seconds{1};

std::uint64_t to_nanoseconds(Time time) {
  return static_cast<std::uint64_t>(time.time_since_epoch() / std::chrono::nanoseconds{1});
}

class Daemon {
 public:
  Daemon(const Config& config, std::string origin, Now start)
      : config_(config),
        origin_(std::move(origin)),
        started_ms_(start.unix_ms),
        detector_(detector_options(config), start),
        server_(data_, server_options(config, start), detector_, server_hooks()),
        http_(control_, config.http, http_hooks()),
        moved_(to_nanoseconds(start.steady)) {
    for (const PublisherOptions& options : config.publishers) add_publisher(options);
  }

  int run() {
    if (!bind()) return exit_config;
    say_what_runs();
    publishers_.start();
    signals_.async_wait([this](auto error, int number) { on_signal(error, number); });
    hangup_.async_wait([this](auto error, int) { on_hangup(error); });
    note_http_stats();
    std::thread data([this] { run_data(); });
    control_.run();
    data.join();
    return exit_code_;
  }

 private:
  static DetectorOptions detector_options(const Config& config) {
    DetectorOptions options = config.detector;
    options.seed = random_seed();  // Nobody may know which keys collide.
    return options;
  }

  static ServerOptions server_options(const Config& config, Now start) {
    ServerOptions options = config.server;
    options.epoch = static_cast<std::uint64_t>(start.unix_ms);
    options.version = kVersion;
    options.window = config.detector.window;
    return options;
  }

  // An exception of a library ends the process, named: nothing may run on with half a data thread.
  void run_data() {
    try {
      server_.start();
      data_.run();
    } catch (const std::exception& error) {
      log_error("failed", {{"thread", "data"}, {"cause", error.what()}});
      std::_Exit(exit_software);
    }
  }

  ServerHooks server_hooks() {
    ServerHooks hooks;
    hooks.stats_json = [this] { return to_stats_json(all_stats(server_.stats())); };
    hooks.config_pairs = [this] { return config_pairs(config_); };
    hooks.ticked = [this](Now now) { moved_ = to_nanoseconds(now.steady); };
    hooks.outlet = &publishers_;
    return hooks;
  }

  HttpHooks http_hooks() {
    HttpHooks hooks;
    hooks.metrics = [this](std::function<void(std::string)> done) { scrape(std::move(done)); };
    hooks.readiness = [this] { return readiness(); };
    return hooks;
  }

  void add_publisher(const PublisherOptions& options) {
    const std::size_t index = publishers_.size();
    PublisherHooks hooks;
    hooks.request_snapshot = [this, index](const std::string& ns) {
      asio::post(data_, [this, index, ns] { publishers_.send_snapshot(index, server_.snapshot(ns)); });
    };
    hooks.relay = [this](const std::string& ns, std::string bytes) { relay(ns, std::move(bytes)); };
    const PublisherIdentity identity{config_.node, static_cast<std::uint64_t>(started_ms_), config_.lease,
                                     random_seed()};
    publishers_.add(make_publisher(control_, options, identity, std::move(hooks)));
  }

  // Control thread. A copy lives on until its deadline where the data thread cannot keep up with a flood.
  void relay(const std::string& ns, std::string bytes) {
    if (relays_waiting_ >= kRelaysMax) {
      ++relays_dropped_;
      return;
    }
    ++relays_waiting_;
    asio::post(data_, [this, ns, event = std::move(bytes)] {
      --relays_waiting_;
      server_.deliver_foreign(ns, event);
    });
  }

  bool bind() {
    for (const auto& result : {server_.listen(), http_.listen()}) {
      if (result) continue;
      log_error("not_started", {{"cause", result.error()}});
      return false;
    }
    return true;
  }

  void say_what_runs() const {
    log_info("started", {{"version", kVersion}, {"node", config_.node}, {"config", origin_}});
    for (const std::string& address : server_.bound_addresses())
      log_info("listening", {{"address", address}});
    if (const auto address = http_.bound_address()) log_info("listening", {{"address", *address}});
    if (!config_.has_rules)
      log_info("configured", {{"rules", "none given: the embedded rule default applies, 1000/s"}});
    for (const PublisherOptions& options : config_.publishers) {
      log_info("publishing", {{"sink", options.name}, {"endpoint", options.endpoint.redacted()}});
    }
    if (config_.publishers.empty())
      log_info("publishing", {{"sink", "none: events go to subscribers of this daemon only"}});
    log_info("configured", {{"state", "none: orders and the hot set end with this process"}});
  }

  AllStats all_stats(DataStats data) const {
    AllStats stats;
    stats.data = std::move(data);
    stats.publishers = publishers_.stats();
    stats.control.version = kVersion;
    stats.control.started_ms = started_ms_;
    stats.control.last_reload_success_ms = started_ms_;
    stats.control.process = read_process_stats();
    stats.control.dropped_relays = relays_dropped_;
    const std::lock_guard lock(http_stats_mutex_);
    stats.control.http = http_stats_;
    return stats;
  }

  // Control thread, each second: HOTKEY STATS, on the data thread, shows them too.
  void note_http_stats() {
    {
      const std::lock_guard lock(http_stats_mutex_);
      http_stats_ = http_.stats();
    }
    note_timer_.expires_after(kNoteInterval);
    note_timer_.async_wait([this](auto cancelled) {
      if (!cancelled) note_http_stats();
    });
  }

  // Control thread: asks the data thread for its figures and answers with the whole page.
  void scrape(std::function<void(std::string)> done) {
    asio::post(data_, [this, done = std::move(done)]() mutable {
      asio::post(control_, [this, done = std::move(done), data = server_.stats()]() mutable {
        done(to_prometheus_text(all_stats(std::move(data))));
      });
    });
  }

  Readiness readiness() const {
    Readiness readiness;
    const auto age = to_nanoseconds(Clock::now()) - moved_;
    readiness.is_ready = age < static_cast<std::uint64_t>(kThreadStuckAfter / std::chrono::nanoseconds{1});
    readiness.lines.emplace_back(readiness.is_ready ? "data thread: moving" : "data thread: stuck");
    for (const PublisherStats& stats : publishers_.stats()) {
      readiness.lines.push_back("publisher " + stats.sink + ": " + stats.state);
    }
    return readiness;
  }

  void on_signal(boost::system::error_code error, int number) {
    if (error) return;
    log_info("stopping", {{"signal", number == SIGINT ? "SIGINT" : "SIGTERM"}});
    deadline_.expires_after(config_.drain);
    deadline_.async_wait([](auto cancelled) {
      if (!cancelled) past_the_deadline();
    });
    asio::post(data_,
               [this] { server_.stop([this] { asio::post(control_, [this] { flush_publishers(); }); }); });
  }

  void on_hangup(boost::system::error_code error) {
    if (error) return;
    log_warning("not_reloaded",
                {{"cause", "this version reads its configuration at the start only; restart it"}});
    hangup_.async_wait([this](auto next, int) { on_hangup(next); });
  }

  void flush_publishers() {
    publishers_.stop(deadline_.expiry() - Clock::now(), [this](bool drained) {
      if (!drained) {
        log_error("not_drained",
                  {{"cause", "a publisher could not send everything before the drain deadline"}});
        exit_code_ = exit_software;
      }
      finish();
    });
  }

  void finish() {
    deadline_.cancel();
    signals_.cancel();
    hangup_.cancel();
    note_timer_.cancel();
    http_.stop();
    log_info("stopped");
    control_.stop();
  }

  // A thread hangs: nothing can be waited for any more.
  [[noreturn]] static void past_the_deadline() {
    log_error("not_drained", {{"cause", "the drain deadline has passed"}});
    std::_Exit(exit_software);
  }

  const Config& config_;
  const std::string origin_;
  const UnixMs started_ms_;
  int exit_code_ = exit_done;

  asio::io_context control_{1};
  asio::io_context data_{1};
  Publishers publishers_;  // Control thread, but for what the data thread pushes.
  Detector detector_;      // Data thread.
  RespServer server_;      // Data thread.
  HttpServer http_;        // Control thread.
  asio::signal_set signals_{control_, SIGINT, SIGTERM};
  asio::signal_set hangup_{control_, SIGHUP};
  asio::steady_timer deadline_{control_};
  asio::steady_timer note_timer_{control_};
  std::atomic<std::uint64_t> moved_;  // When the data thread last ticked, in steady ns.
  std::atomic<std::size_t> relays_waiting_{0};
  std::atomic<std::uint64_t> relays_dropped_{0};
  mutable std::mutex http_stats_mutex_;
  HttpStats http_stats_;  // Guarded by http_stats_mutex_.
};

}  // namespace

int run_daemon(const Config& config, const std::string& origin) {
  set_log_level(config.log_level);
  set_log_format(config.log_format);
  Daemon daemon(config, origin, read_clocks());
  return daemon.run();
}

}  // namespace hotkeyd
