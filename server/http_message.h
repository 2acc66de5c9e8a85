// An HTTP request and response as the routes see them: values without any library. Pure.
#pragma once

#include <string>
#include <string_view>

namespace hotkeyd {

struct HttpRequest {
  std::string method;
  std::string path;   // Before the '?', as sent: never decoded, since no path of ours needs it.
  std::string query;  // After it.
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  std::string allow;  // The methods that exist, with 405 only.
};

HttpRequest make_http_request(std::string_view method, std::string_view target);

// {"error":"<reason>"}
HttpResponse http_error(int status, std::string_view reason);

// Whether the query has the parameter, with or without a value.
bool has_parameter(std::string_view query, std::string_view name);

}  // namespace hotkeyd
