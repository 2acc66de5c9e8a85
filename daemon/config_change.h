// A new configuration on its way into the running daemon: everything that could fail is done before.
//
// `open_change` binds new addresses and makes new publishers; on an error nothing has changed.
// `apply_to_data` then puts it in force where events are made, and `apply_to_control` where they leave.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/diff.h"
#include "daemon/publisher_routes.h"
#include "daemon/publishers.h"
#include "daemon/state_service.h"
#include "detector/detector.h"
#include "server/http_server.h"
#include "server/resp_server.h"

namespace hotkeyd {

// What belongs to the data thread.
struct DataParts {
  asio::io_context& io;
  Detector& detector;
  RespServer& server;
  PublisherRoutes& routes;
  StateService& state;
  std::shared_ptr<const Config>& shown;  // For CONFIG GET.
};

// What belongs to the control thread.
struct ControlParts {
  asio::io_context& io;
  HttpServer& http;
  Publishers& publishers;
};

struct ConfigChange {
  ConfigDiff diff;
  std::unique_ptr<Listener> http;
  ListenChange listeners;
  Publishers::Change publishers;
  std::vector<std::string> opened;  // Addresses, for the log.
};

// Control thread; `data.io` only is used of `data`.
Result<ConfigChange> open_change(const Config& running, ConfigDiff diff, DataParts& data,
                                 ControlParts& control);
// Data thread. Decisions of new rules are told at their pace, then `rules_changed`.
void apply_to_data(ConfigChange& change, DataParts& data, Now now);
// Control thread, afterwards.
void apply_to_control(ConfigChange& change, ControlParts& control);

}  // namespace hotkeyd
