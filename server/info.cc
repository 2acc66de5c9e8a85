#include "server/info.h"

#include <unistd.h>

#include "base/text.h"

namespace hotkeyd {
namespace {

class InfoWriter {
 public:
  explicit InfoWriter(std::string_view wanted) : wanted_(wanted) {
    shows_all_ = equals_ignore_case(wanted, "all") || equals_ignore_case(wanted, "default") ||
                 equals_ignore_case(wanted, "everything");
  }

  // Whether the lines of this section are wanted.
  bool section(std::string_view name) {
    if (!shows_all_ && !equals_ignore_case(wanted_, name)) return false;
    if (!out_.empty()) out_ += "\r\n";
    out_ += "# " + std::string(name) + "\r\n";
    return true;
  }
  void line(std::string_view name, std::string_view value) {
    out_ += std::string(name) + ":" + std::string(value) + "\r\n";
  }
  void line(std::string_view name, std::uint64_t value) { line(name, std::to_string(value)); }
  std::string take() { return std::move(out_); }

 private:
  std::string_view wanted_;
  bool shows_all_;
  std::string out_;
};

void write_server(InfoWriter& out, const CommandServices& server, Now now) {
  out.line("hotkeyd_version", server.options.version);
  out.line("node", server.options.node);
  out.line("epoch", server.options.epoch);
  out.line("process_id", static_cast<std::uint64_t>(::getpid()));
  out.line("uptime_in_seconds", static_cast<std::uint64_t>(to_ms(now.steady - server.started.steady) / 1000));
}

void write_clients(InfoWriter& out, const DataStats& stats) {
  out.line("connected_clients", stats.clients);
  out.line("subscriptions", stats.subscriptions);
  out.line("refused_clients", stats.refused_clients);
  out.line("cut_subscribers", stats.cut_subscribers);
  out.line("protocol_errors", stats.protocol_errors);
}

void write_stats(InfoWriter& out, const DataStats& stats) {
  out.line("total_commands_processed", stats.commands);
  out.line("producers", stats.producers);
  out.line("lost_batches", stats.lost_batches);
  out.line("lost_accesses", stats.lost_accesses);
  out.line("untold_events", stats.untold_events);
}

std::size_t sum(const std::map<KeyClass, std::size_t>& counts) {
  std::size_t out = 0;
  for (const auto& [key_class, count] : counts) out += count;
  return out;
}

void write_namespaces(InfoWriter& out, const DataStats& stats) {
  for (const auto& [ns, figures] : stats.namespaces) {
    out.line("ns_" + ns, "accesses=" + std::to_string(figures.reads + figures.writes) +
                             ",tracked_keys=" + std::to_string(figures.tracked_keys) +
                             ",hot_keys=" + std::to_string(sum(figures.hot_keys)) +
                             ",hottest_rate=" + std::to_string(figures.hottest_rate));
  }
}

}  // namespace

std::string info_text(const CommandServices& server, std::string_view section, Now now) {
  InfoWriter out(section);
  const DataStats stats = server.stats();
  if (out.section("Server")) write_server(out, server, now);
  if (out.section("Clients")) write_clients(out, stats);
  if (out.section("Stats")) write_stats(out, stats);
  if (out.section("Namespaces")) write_namespaces(out, stats);
  return out.take();
}

}  // namespace hotkeyd
