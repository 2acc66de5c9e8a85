#include "server/http_routes.h"

#include <utility>

#include "base/text.h"

namespace hotkeyd {
namespace {

void answer_metrics(const HttpHooks& hooks, HttpAnswer answer) {
  hooks.metrics([answer = std::move(answer)](std::string page) {
    HttpResponse response;
    response.content_type = "text/plain; version=0.0.4; charset=utf-8";
    response.body = std::move(page);
    answer(std::move(response));
  });
}

HttpResponse health() {
  HttpResponse response;
  response.body = "ok\n";
  return response;
}

HttpResponse readiness(const Readiness& state, bool is_verbose) {
  HttpResponse response;
  response.status = state.is_ready ? 200 : 503;
  response.body = state.is_ready ? "ready\n" : "not ready\n";
  if (!is_verbose) return response;
  for (const std::string& line : state.lines) response.body += redis_escape(line) + "\n";
  return response;
}

bool is_health(const std::string& path) { return path == "/healthz" || path == "/-/healthy"; }
bool is_readiness(const std::string& path) { return path == "/readyz" || path == "/-/ready"; }

HttpResponse no_such_method() {
  HttpResponse response = http_error(405, "this path answers GET and HEAD only");
  response.allow = "GET, HEAD";
  return response;
}

}  // namespace

void route_http(const HttpRequest& request, const HttpHooks& hooks, HttpAnswer answer) {
  const bool is_metrics = request.path == "/metrics";
  const bool is_known = is_metrics || is_health(request.path) || is_readiness(request.path);
  if (!is_known) return answer(http_error(404, "there is no such path"));
  if (request.method != "GET" && request.method != "HEAD") return answer(no_such_method());
  if (is_metrics) return answer_metrics(hooks, std::move(answer));
  if (is_health(request.path)) return answer(health());
  answer(readiness(hooks.readiness(), has_parameter(request.query, "verbose")));
}

}  // namespace hotkeyd
