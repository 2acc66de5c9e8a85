#include <string>

#include "metrics/families.h"
#include "metrics/family_builder.h"

namespace hotkeyd {
namespace {

void add_http(const HttpStats& stats, Families& out) {
  FamilyBuilder::gauge("http_clients", "Connections to the HTTP port.").add(stats.clients).append_to(out);
  auto responses = FamilyBuilder::counter("http_responses_total", "HTTP responses sent.");
  for (const auto& [status, count] : stats.responses)
    responses.add(count, {{"code", std::to_string(status)}});
  std::move(responses).append_to(out);
  FamilyBuilder::counter("http_cut_clients_total",
                         "HTTP connections closed at the limit to make room for others.")
      .add(stats.cut_clients)
      .append_to(out);
  FamilyBuilder::counter("http_slow_clients_total", "HTTP connections closed since no request came in time.")
      .add(stats.slow_clients)
      .append_to(out);
  FamilyBuilder::counter("http_accept_errors_total", "HTTP connections that could not be accepted.")
      .add(stats.accept_errors)
      .append_to(out);
}

}  // namespace

void add_server_families(const DataStats& stats, const HttpStats& http, Families& out) {
  const auto gauge = FamilyBuilder::gauge;
  const auto counter = FamilyBuilder::counter;
  gauge("server_clients", "Connections to the RESP port.").add(stats.clients).append_to(out);
  gauge("server_subscriptions", "Channels and patterns subscribed to.")
      .add(stats.subscriptions)
      .append_to(out);
  counter("server_commands_total", "Commands received.").add(stats.commands).append_to(out);
  counter("server_cut_subscribers_total", "Subscribers cut since they read too slowly.")
      .add(stats.cut_subscribers)
      .append_to(out);
  counter("server_accept_errors_total", "Connections that could not be accepted.")
      .add(stats.accept_errors)
      .append_to(out);
  counter("server_protocol_errors_total", "Connections closed since they did not speak RESP.")
      .add(stats.protocol_errors)
      .append_to(out);
  counter("server_refused_clients_total", "Connections refused at the limit of clients.")
      .add(stats.refused_clients)
      .append_to(out);
  gauge("server_untold_events", "Decisions in force that subscribers are still to be told of.")
      .add(stats.untold_events)
      .append_to(out);
  gauge("loop_lag_seconds", "The largest delay of a tick of the data thread in the last 10 to 20 s.")
      .add(stats.loop_lag_seconds)
      .append_to(out);
  add_http(http, out);
}

}  // namespace hotkeyd
