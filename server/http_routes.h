// Which path of the HTTP port answers what.
//
// /metrics may be answered later (it asks the data thread); everything else is at once. Reading only: GET and
// HEAD. Control thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "server/http_message.h"

namespace hotkeyd {

struct Readiness {
  bool is_ready = true;
  std::vector<std::string> lines;  // For ?verbose: one sentence a component.
};

struct HttpHooks {
  // Calls `done` once with the page, at once or later, on the control thread.
  std::function<void(std::function<void(std::string)> done)> metrics;
  std::function<Readiness()> readiness;
};

using HttpAnswer = std::function<void(HttpResponse)>;

// Calls `answer` once.
void route_http(const HttpRequest& request, const HttpHooks& hooks, HttpAnswer answer);

}  // namespace hotkeyd
