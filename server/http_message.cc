#include "server/http_message.h"

#include <algorithm>

#include "base/text.h"

namespace hotkeyd {

HttpRequest make_http_request(std::string_view method, std::string_view target) {
  const std::size_t mark = std::min(target.find('?'), target.size());
  const std::string_view query = target.substr(std::min(mark + 1, target.size()));
  return {std::string(method), std::string(target.substr(0, mark)), std::string(query)};
}

HttpResponse http_error(int status, std::string_view reason) {
  HttpResponse response;
  response.status = status;
  response.content_type = "application/json";
  response.body = "{\"error\":";
  append_json_string(response.body, reason);
  response.body += "}\n";
  return response;
}

bool has_parameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    if (pair.substr(0, pair.find('=')) == name) return true;
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
  }
  return false;
}

}  // namespace hotkeyd
