// Reload: reads the configuration again and puts it in force, whole or not at all.
//
//   control  read and check; find what changed; bind and make what is new
//   data     listeners, publishers' routes, rules
//   control  let go of what is gone; log what needs a restart; answer
//
// One reload at a time. Requests that come meanwhile wait and are all answered by the next one, which reads
// the file after they came. A reload that fails changes nothing: each error is logged, the first is the
// answer. Control thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "daemon/config_change.h"
#include "daemon/figures.h"
#include "daemon/load_config.h"

namespace hotkeyd {

class Reloader {
 public:
  using Load = std::function<LoadedConfig()>;
  using Done = std::function<void(const Result<void>&)>;

  Reloader(Config running, Load load, DataParts data, ControlParts control, Figures& figures)
      : running_(std::move(running)),
        load_(std::move(load)),
        data_(data),
        control_(control),
        figures_(figures) {}

  // What is in force.
  const Config& running() const { return running_; }

  // `done` (may be empty) is called once, later or at once.
  void request(Done done);
  // The daemon stops: what waits, and what comes, is refused. A reload that is under way ends first.
  void stop();

 private:
  void begin();
  void apply(ConfigChange change);
  void commit(ConfigChange& change);
  void refuse_waiting();
  void refuse(const std::vector<std::string>& errors);
  void finish(const Result<void>& outcome);

  Config running_;
  const Load load_;
  DataParts data_;
  ControlParts control_;
  Figures& figures_;
  std::string origin_;         // Of the configuration being applied.
  std::vector<Done> waiting_;  // For the next reload.
  std::vector<Done> served_;   // By the one under way.
  bool is_busy_ = false;
  bool stopping_ = false;
};

}  // namespace hotkeyd
