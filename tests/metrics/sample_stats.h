// One namespace with traffic, one publisher, one reload: what the tests of the metrics look at.
#pragma once

#include "metrics/stats.h"

namespace hotkeyd {

inline AllStats sample_stats() {
  AllStats stats;
  stats.control.version = "0.1.0";
  stats.control.started_ms = 1'796'053'922'500;
  stats.control.last_reload_success_ms = 1'796'053'922'500;
  stats.control.http.responses = {{200, 7}, {404, 1}};
  DataStats& data = stats.data;
  data.sources["report"].accesses_by_namespace["shop"] = 370;
  data.sources["report"].dropped_by_reason["late"] = 3;
  data.sources["hit"].accesses_by_namespace["shop"] = 7;
  NamespaceStats& shop = data.namespaces["shop"];
  shop.reads = 360;
  shop.writes = 17;
  shop.misses = 20;
  shop.local_hits = 30;
  shop.tracked_keys = 4;
  shop.memory_bytes = 2 << 20;
  shop.hot_keys[KeyClass::read] = 2;
  shop.hottest_rate = 200;
  shop.alerting_keys = 1;
  shop.decisions[DecisionKind::promoted] = 2;
  data.namespaces["search"].decisions[DecisionKind::promoted] = 1;
  data.near_caches["shop"] = {50, 5, 12, 3400, 250};
  data.detection_delay.observe(0.0002);
  data.detection_delay.observe(0.5);
  data.detection_delay.observe(3);
  data.clients = 4;
  data.loop_lag_seconds = 0.00125;
  PublisherStats redis;
  redis.sink = "redis";
  redis.events = 9;
  redis.failed_events["timeout"] = 2;
  redis.up = true;
  stats.publishers = {redis};
  return stats;
}

}  // namespace hotkeyd
