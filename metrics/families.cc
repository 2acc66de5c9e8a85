#include "metrics/families.h"

#include "metrics/family_builder.h"

namespace hotkeyd {

Families families_of(const AllStats& stats) {
  Families out;
  add_daemon_families(stats.control, out);
  add_source_families(stats.data, out);
  add_detector_families(stats.data, out);
  add_server_families(stats.data, stats.control.http, out);
  add_publisher_families(stats.publishers, out);
  return out;
}

namespace {

void add_state_families(const StateFileStats& stats, Families& out) {
  FamilyBuilder::counter("state_saves_total", "Writes of the state file.")
      .add(stats.saved, {{"result", "ok"}})
      .add(stats.failed, {{"result", "failed"}})
      .append_to(out);
  FamilyBuilder::gauge("state_last_save_timestamp_seconds", "When the state file was last written; 0: never.")
      .add(static_cast<double>(stats.last_saved_ms) / 1000)
      .append_to(out);
  FamilyBuilder::gauge("state_unsaved", "1 while orders or the hot set are not on the disk as they are.")
      .add(stats.is_unsaved)
      .append_to(out);
}

}  // namespace

void add_daemon_families(const ControlStats& stats, Families& out) {
  const auto gauge = FamilyBuilder::gauge;
  const auto counter = FamilyBuilder::counter;
  gauge("build_info", "The version that runs; always 1.").add(1, {{"version", stats.version}}).append_to(out);
  gauge("config_last_reload_successful",
        "1 while the newest configuration is in force, 0 after one was refused.")
      .add(stats.last_reload_successful)
      .append_to(out);
  gauge("config_last_reload_success_timestamp_seconds", "When the configuration in force was loaded.")
      .add(static_cast<double>(stats.last_reload_success_ms) / 1000)
      .append_to(out);
  counter(
      "relay_dropped_invalidations_total",
      "Invalidations of other nodes dropped since they came too fast; copies then live until their deadline.")
      .add(stats.dropped_relays)
      .append_to(out);
  add_state_families(stats.state, out);
  gauge("process_start_time_seconds", "When the process started.")
      .without_prefix()
      .add(static_cast<double>(stats.started_ms) / 1000)
      .append_to(out);
  const ProcessStats& process = stats.process;
  counter("process_cpu_seconds_total", "Processor time used.")
      .without_prefix()
      .add(process.cpu_seconds)
      .append_to(out);
  gauge("process_resident_memory_bytes", "Memory in use.")
      .without_prefix()
      .add(process.resident_bytes)
      .append_to(out);
  gauge("process_virtual_memory_bytes", "Address space in use.")
      .without_prefix()
      .add(process.virtual_bytes)
      .append_to(out);
  gauge("process_open_fds", "Open file descriptors.").without_prefix().add(process.open_fds).append_to(out);
  gauge("process_threads", "Threads.").without_prefix().add(process.threads).append_to(out);
}

void add_publisher_families(const std::vector<PublisherStats>& stats, Families& out) {
  auto events = FamilyBuilder::counter("publisher_events_total", "Events that the sink accepted.");
  auto failed = FamilyBuilder::counter("publisher_failed_events_total",
                                       "Events that did not reach the sink; a snapshot makes up for them.");
  auto queue = FamilyBuilder::gauge("publisher_queue_events", "Events that wait for the sink.");
  auto bytes = FamilyBuilder::gauge("publisher_queue_bytes", "Bytes of the events that wait for the sink.");
  auto up = FamilyBuilder::gauge("publisher_up", "1 while every event is published to the sink.");
  for (const PublisherStats& sink : stats) {
    events.add(sink.events, {{"sink", sink.sink}});
    for (const char* reason : {"queue_full", "connection", "refused_by_server", "timeout"}) {
      const auto found = sink.failed_events.find(reason);
      const std::uint64_t count = found == sink.failed_events.end() ? 0 : found->second;
      failed.add(count, {{"sink", sink.sink}, {"reason", reason}});
    }
    queue.add(sink.queue_events, {{"sink", sink.sink}});
    bytes.add(sink.queue_bytes, {{"sink", sink.sink}});
    up.add(sink.up, {{"sink", sink.sink}});
  }
  for (FamilyBuilder* family : {&events, &failed, &queue, &bytes, &up}) std::move(*family).append_to(out);
}

}  // namespace hotkeyd
