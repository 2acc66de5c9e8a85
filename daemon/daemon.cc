#include "daemon/daemon.h"

#include <pthread.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/signal_set.hpp>
#include <cstdlib>
#include <thread>

#include "base/hash.h"
#include "base/log.h"
#include "base/version.h"
#include "daemon/activation.h"
#include "daemon/announce.h"
#include "daemon/exit_code.h"
#include "daemon/figures.h"
#include "daemon/notify.h"
#include "daemon/process_signals.h"
#include "daemon/publisher_routes.h"
#include "daemon/publishers.h"
#include "daemon/pulse.h"
#include "daemon/relay_gate.h"
#include "daemon/reload_command.h"
#include "daemon/reloader.h"
#include "daemon/state_service.h"
#include "daemon/stop_protocol.h"
#include "daemon/stop_signals.h"
#include "daemon/watchdog.h"
#include "detector/detector.h"
#include "io/asio.h"
#include "metrics/render.h"
#include "server/http_server.h"
#include "server/resp_server.h"

namespace hotkeyd {
namespace {

constexpr Duration kThreadStuckAfter = std::chrono::seconds{5};
constexpr Duration kNoteInterval = std::chrono::seconds{1};

class Daemon {
 public:
  Daemon(const Config& config, std::function<LoadedConfig()> load, Now start)
      : started_ms_(start.unix_ms),
        node_(config.node),
        shown_(std::make_shared<const Config>(config)),
        detector_(detector_options(config), start),
        state_(data_, {config.state, config.node, config.lease}, detector_, start,
               [this](const StateFileStats& stats) { figures_.note_state(stats); }),
        server_(data_, server_options(config), detector_, server_hooks()),
        http_(control_, config.http, http_hooks()),
        data_pulse_(start.steady),
        reloader_(config, std::move(load), {data_, detector_, server_, routes_, state_, shown_},
                  {control_, http_, publishers_}, figures_) {
    state_.restore(start);
    server_.adopt_namespaces();
  }

  int run(const std::string& origin) {
    if (!state_.claimed()) return not_started(state_.claimed().error());
    if (!bind()) return exit_config;
    announce(config(), origin, addresses());
    state_.begin(read_clocks());
    start_publishers();
    stop_signals_.start();
    hangup_.async_wait([this](auto error, int) { on_hangup(error); });
    note_http_stats();
    std::thread data([this] { run_data(); });
    watchdog_.start(watchdog_timeout());
    notify_ready("Serving");
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

  ServerOptions server_options(const Config& config) const {
    ServerOptions options = config.server;
    options.epoch = state_.epoch();
    options.version = kVersion;
    options.window = config.detector.window;
    return options;
  }

  // An exception of a library ends the process, named: nothing may run on with half a data thread.
  void run_data() {
    pthread_setname_np(pthread_self(), "hotkeyd-data");
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
    hooks.stats_json = [this] { return to_stats_json(figures_.all(server_.stats())); };
    hooks.config_pairs = [this] { return config_pairs(*shown_); };
    hooks.reload = [this](DeferredReply reply) { reload_command_.ask(std::move(reply)); };
    hooks.ticked = [this](Now now) {
      data_pulse_.beat(now.steady);
      state_.tick(now);
    };
    if (state_.is_kept())
      hooks.orders_changed = [this](StateKeeper::Saved saved) { state_.orders_changed(std::move(saved)); };
    hooks.outlet = &routes_;
    return hooks;
  }

  HttpHooks http_hooks() {
    HttpHooks hooks;
    hooks.metrics = [this](std::function<void(std::string)> done) { scrape(std::move(done)); };
    hooks.readiness = [this] { return readiness(); };
    return hooks;
  }

  std::unique_ptr<Publisher> make(std::uint64_t id, const PublisherOptions& options, Duration lease) {
    PublisherHooks hooks;
    hooks.request_snapshot = [this, id](const std::string& ns) {
      asio::post(data_, [this, id, ns] { routes_.send_snapshot(id, server_.snapshot(ns)); });
    };
    hooks.relay = [this](const std::string& ns, std::string bytes) { relays_.pass(ns, std::move(bytes)); };
    const PublisherIdentity identity{node_, state_.epoch(), lease, random_seed()};
    return make_publisher(control_, options, identity, std::move(hooks));
  }

  // Before the data thread runs.
  void start_publishers() {
    auto change = publishers_.prepare(config().publishers, config().lease);
    routes_.change(change.routes, server_.namespaces());
    publishers_.commit(std::move(change), config().drain);
  }

  const Config& config() const { return reloader_.running(); }

  static int not_started(const std::string& cause) {
    log_error("not_started", {{"cause", cause}});
    return exit_config;
  }

  Result<void> listen() {
    auto passed = take_passed_sockets();
    if (!passed) return Error{passed.error()};
    auto placed = place_passed(std::move(*passed), config().server.listen);
    if (!placed) return Error{placed.error()};
    return server_.listen(std::move(*placed));
  }

  bool bind() {
    for (const auto& result : {listen(), http_.listen()}) {
      if (result) continue;
      not_started(result.error());
      return false;
    }
    return true;
  }

  std::vector<std::string> addresses() const {
    std::vector<std::string> all = server_.bound_addresses();
    if (const auto address = http_.bound_address()) all.push_back(*address);
    return all;
  }

  // Control thread, each second: HOTKEY STATS, on the data thread, shows them too.
  void note_http_stats() {
    figures_.note_http(http_.stats());
    note_timer_.start(Clock::now() + kNoteInterval, [this] { note_http_stats(); });
  }

  // Control thread: asks the data thread for its figures and answers with the whole page.
  void scrape(std::function<void(std::string)> done) {
    asio::post(data_, [this, done = std::move(done)]() mutable {
      asio::post(control_, [this, done = std::move(done), data = server_.stats()]() mutable {
        done(to_prometheus_text(figures_.all(std::move(data))));
      });
    });
  }

  // The control thread moves, or it would not answer.
  Readiness readiness() const {
    Readiness readiness;
    const bool moves = data_pulse_.age(Clock::now()) < kThreadStuckAfter;
    readiness.is_ready = moves && !stop_.has_begun();
    readiness.lines.emplace_back(moves ? "data thread: moving" : "data thread: stuck");
    if (stop_.has_begun()) readiness.lines.emplace_back("stopping");
    for (const PublisherStats& stats : publishers_.stats()) {
      readiness.lines.push_back("publisher " + stats.sink + ": " + stats.state);
    }
    return readiness;
  }

  void on_hangup(error_code error) {
    if (error) return;
    reloader_.request({});
    hangup_.async_wait([this](auto next, int) { on_hangup(next); });
  }

  // Control thread.
  void stop(const std::string& signal) {
    watchdog_.drain();
    reloader_.stop();
    stop_.begin(signal, config().drain);
  }

  void finish(bool drained) {
    if (!drained) exit_code_ = exit_software;
    data_runs_.reset();
    stop_signals_.cancel();
    hangup_.cancel();
    note_timer_.cancel();
    watchdog_.stop();
    http_.stop();
    log_info("stopped");
    control_.stop();
  }

  const UnixMs started_ms_;
  const std::string node_;
  int exit_code_ = exit_done;

  asio::io_context control_{1};
  asio::io_context data_{1};
  // The data thread answers until the publishers have what they need for their last words.
  asio::executor_work_guard<asio::io_context::executor_type> data_runs_{data_.get_executor()};
  Publishers publishers_{control_, [this](std::uint64_t id, const PublisherOptions& options, Duration lease) {
                           return make(id, options, lease);
                         }};
  PublisherRoutes routes_;               // Data thread.
  std::shared_ptr<const Config> shown_;  // Data thread.
  Detector detector_;                    // Data thread.
  StateService state_;                   // Data thread, and one of its own.
  RespServer server_;                    // Data thread.
  HttpServer http_;                      // Control thread.
  RelayGate relays_{
      data_, [this](const std::string& ns, const std::string& bytes) { server_.deliver_foreign(ns, bytes); }};
  Figures figures_{publishers_, relays_, started_ms_};
  Pulse data_pulse_;
  Reloader reloader_;  // Control thread.
  ReloadCommand reload_command_{data_, control_, reloader_};
  StopProtocol stop_{{control_, data_, server_, state_, publishers_},
                     [this](bool drained) { finish(drained); }};
  StopSignals stop_signals_{control_, [this](const std::string& signal) { stop(signal); }};
  asio::signal_set hangup_{control_, SIGHUP};
  Timer note_timer_{control_};
  Watchdog watchdog_{control_, data_pulse_, notify_watchdog};
};

}  // namespace

int run_daemon(const LoadedConfig& loaded, std::function<LoadedConfig()> load) {
  const Config& config = *loaded.outcome.config;
  set_log_level(config.log_level);
  set_log_format(config.log_format);
  Daemon daemon(config, std::move(load), read_clocks());
  const int exit_code = daemon.run(loaded.origin);
  hold_signals_back();
  return exit_code;
}

}  // namespace hotkeyd
